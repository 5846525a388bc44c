import { describe, expect, it } from 'vitest'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import type { MembershipEvent } from '../../../domain/membership/events.ts'
import { membership } from '../../../domain/membership/membership.ts'
import type { RoleId } from '../../../domain/ids/ids.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { membershipCommands } from '../../../domain/testing/commands/arbitraries.ts'
import { ada, home, role, start } from '../../../domain/testing/people.ts'

const ids = { guildId: home, accountId: ada }
const later = secondsAfter(start, 60)

const joined = (temporary: boolean): MembershipEvent => ({
  type: 'MemberJoined',
  data: { ...ids, joinedAt: start, temporary, admission: { by: 'custom_invite' } },
})
const withRoles = (...roles: readonly RoleId[]): MembershipEvent => ({
  type: 'MemberRolesChanged',
  data: { ...ids, roles, before: [] },
})
const end = (isOwner = false) => ({ type: 'EndTemporaryMembership', isOwner, now: later }) as const
const left: MembershipEvent = { type: 'MemberLeft', data: { ...ids, leftAt: later } }

describe('a temporary membership', () => {
  it('ends', () => {
    given(membership, [joined(true)])
      .when(end())
      .then(left)
  })

  it('does not apply to the owner, to members who ever got a role, or to those who joined permanently', () => {
    given(membership, [joined(true)])
      .when(end(true))
      .changesNothing()
    given(membership, [joined(true), withRoles(role(1))])
      .when(end())
      .changesNothing()
    given(membership, [joined(true), withRoles(role(1)), withRoles()])
      .when(end())
      .changesNothing()
    given(membership, [joined(false)])
      .when(end())
      .changesNothing()
  })

  it('ends once, and never for a stranger', () => {
    given(membership, [joined(true), left])
      .when(end())
      .changesNothing()
    given(membership, []).when(end()).changesNothing()
  })

  property('has no roles', histories(membership, membershipCommands), ({ steps }) => {
    for (const { after } of steps) if (after.status === 'member' && after.temporary) expect(after.roles).toEqual([])
  })
})
