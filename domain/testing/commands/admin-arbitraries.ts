import fc from 'fast-check'
import type { AdminAuditCommand } from '../../admin-audit/commands.ts'
import type { AdminKeyCommand } from '../../admin-key/commands.ts'
import { adminKeyId, entryId } from '../../ids/ids.ts'
import { snowflake } from '../../ids/snowflake.ts'
import { instants, oneOf, record } from '../drawing.ts'
import { accounts, ada, moderator } from '../people.ts'

/** Commands about what administrators have, drawn like those of ./arbitraries.ts. */

export const adminKeyCommands: fc.Arbitrary<AdminKeyCommand> = fc.oneof(
  record({
    type: oneOf('CreateAdminKey'),
    keyId: oneOf(adminKeyId(snowflake('600001'))),
    accountId: oneOf(ada, moderator),
    name: oneOf('Backup'),
    keyHash: oneOf('hash-1'),
    acls: someAcls(),
    expiresAt: fc.option(instants),
    delegationVersion: oneOf(0, 1),
    now: instants,
  }),
  record({
    type: oneOf('ChangeAdminKey'),
    changes: fc.record(
      { name: oneOf('Backup', 'Restore'), acls: someAcls() },
      { requiredKeys: [], noNullPrototype: true },
    ),
    now: instants,
  }),
  record({ type: oneOf('DeleteAdminKey'), now: instants }),
)

function someAcls(): fc.Arbitrary<readonly string[]> {
  return fc.array(oneOf('*', 'admin:authenticate', 'user:lookup'), { maxLength: 4 })
}

/** Few entries and hashes, so that entries come again, in order and out of order. */
export const adminAuditCommands: fc.Arbitrary<AdminAuditCommand> = fc.oneof(
  record({
    type: oneOf('RecordAdminAction'),
    entryId: entryIds(),
    adminId: oneOf(ada, moderator),
    credential: oneOf('session', 'bearer', 'admin_key'),
    action: oneOf('set_acls', 'get_user'),
    targetType: oneOf('user'),
    targetId: oneOf(...accounts),
    metadata: oneOf({}, { acls: '*' }),
    personalMetadata: oneOf(null, { email: 'ada@example.org' }),
    personalHash: oneOf(null, 'p'),
    reason: oneOf(null, 'because'),
    actedAt: instants,
    previousHash: oneOf(null, 'h1', 'h2'),
    hash: oneOf('h1', 'h2'),
  }),
  record({ type: oneOf('RefuseAdminAction'), entryId: entryIds(), adminId: oneOf(ada), code: oneOf('CONFLICT') }),
)

function entryIds() {
  return fc.integer({ min: 1, max: 6 }).map((number) => entryId(snowflake(`70000${number}`)))
}
