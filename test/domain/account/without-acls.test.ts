import { describe, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import { accountFlags } from '../../../domain/account/flags.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { ada as accountId, start } from '../../../domain/testing/people.ts'
import { registered } from './account-story.ts'

const update = (add: readonly string[]) => ({ type: 'UpdateFlags', add, remove: [] }) as const

describe('a command that closes an account', () => {
  const now = start
  const administrator: AccountEvent = { type: 'AclsSet', data: { accountId, acls: ['user:lookup'] } }

  it.each([
    update([accountFlags.DISABLED.toString()]),
    { type: 'BanAccount', duration_hours: 1, now },
    { type: 'ScheduleSelfDeletion', dueAt: now },
    { type: 'RejectRegistration' },
  ] as const)('is refused with CONFLICT where it is meant for accounts without ACLs alone: $type', (command) => {
    given(account, [registered, administrator])
      .when({ ...command, onlyWithoutAcls: true })
      .refuses('CONFLICT')
  })
  it('is carried out on an account without ACLs', () => {
    given(account, [registered])
      .when({ ...update(['2']), onlyWithoutAcls: true })
      .then({ type: 'FlagsChanged', data: { accountId, flags: '2', before: '0' } })
  })
})
