import { describe, it } from 'vitest'
import { adminKey } from '../../../domain/admin-key/admin-key.ts'
import type { AdminKeyChanges, AdminKeyEvent } from '../../../domain/admin-key/events.ts'
import { adminKeyId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { ada, start } from '../../../domain/testing/people.ts'
import { laws } from '../../support/laws.ts'
import { adminKeyCommands } from '../../../domain/testing/commands/admin-arbitraries.ts'

laws('adminKey', adminKeyCommands)

const keyId = adminKeyId(snowflake('600001'))
const later = secondsAfter(start, 60)
const wishes = { keyId, accountId: ada, name: 'Backup', keyHash: 'hash', acls: ['user:lookup'], expiresAt: later }
const create = { type: 'CreateAdminKey', ...wishes, delegationVersion: 0, now: start } as const
const created: AdminKeyEvent = { type: 'AdminKeyCreated', data: { ...wishes, createdAt: start } }
const change = (changes: AdminKeyChanges, now = start) => ({ type: 'ChangeAdminKey', changes, now }) as const
const changed = (changes: AdminKeyChanges): AdminKeyEvent => ({
  type: 'AdminKeyChanged',
  data: { keyId, accountId: ada, changes },
})
const remove = { type: 'DeleteAdminKey', now: start } as const
const deleted: AdminKeyEvent = { type: 'AdminKeyDeleted', data: { keyId, accountId: ada } }

describe('an Admin key', () => {
  it('is made once, with each ACL once', () => {
    given(adminKey, [])
      .when({ ...create, acls: ['user:lookup', 'user:lookup'] })
      .then(created)
    given(adminKey, [created]).when(create).changesNothing()
    given(adminKey, [created, deleted]).when(create).changesNothing()
  })
  it("keeps the number of its account's delegations, under which it was made", () => {
    given(adminKey, [])
      .when({ ...create, delegationVersion: 2 })
      .then({ type: 'AdminKeyCreated', data: { ...wishes, createdAt: start, delegationVersion: 2 } })
  })
  it('records what changes of its name and ACLs, and only that', () => {
    given(adminKey, [created])
      .when(change({ name: 'Backup', acls: [] }))
      .then(changed({ acls: [] }))
    given(adminKey, [created])
      .when(change({ name: 'Restore', acls: ['user:lookup'] }))
      .then(changed({ name: 'Restore' }))
    given(adminKey, [created, changed({ name: 'Restore' })])
      .when(change({ name: 'Restore' }))
      .changesNothing()
    given(adminKey, [created]).when(change({})).changesNothing()
  })
  it('is not found before it is made, once it is deleted, and from the instant on that it expires at', () => {
    const code = 'ADMIN_API_KEY_NOT_FOUND'
    given(adminKey, []).when(change({})).refuses(code)
    given(adminKey, [created, deleted]).when(remove).refuses(code)
    given(adminKey, [created])
      .when(change({ name: 'Late' }, later))
      .refuses(code)
    given(adminKey, [created])
      .when({ ...remove, now: later })
      .refuses(code)
  })
  it('is deleted for good', () => {
    given(adminKey, [created]).when(remove).then(deleted)
  })
})
