import fc from 'fast-check'
import type { GuildAuditCommand } from '../../guild-audit/commands.ts'
import { entryId, messageId, type EntryId } from '../../ids/ids.ts'
import { snowflake } from '../../ids/snowflake.ts'
import { oneOf, record } from '../drawing.ts'
import { ada, general, home } from '../people.ts'

export const entry = (number: number): EntryId => entryId(snowflake(`8${number.toString().padStart(5, '0')}`))

const some = fc.integer({ min: 1, max: 8 }).map(entry)
const where = { entryId: some, guildId: oneOf(home), channelId: oneOf(general) }

/** Deletions that are recorded once each, and folds of any of them. */
export const guildAuditCommands: fc.Arbitrary<GuildAuditCommand> = fc.oneof(
  record({ type: oneOf('RecordBulkDeletion'), ...where, count: oneOf(2, 100) }),
  record({
    type: oneOf('FoldMessageDeletions'),
    ...where,
    deletedBy: oneOf(ada, null),
    folded: fc.uniqueArray(some),
    reason: oneOf(null, 'spam'),
  }),
  record({
    type: oneOf('RecordPin'),
    ...where,
    messageId: oneOf(messageId(snowflake('900001'))),
    pinned: oneOf(true, false),
  }),
  record({ type: oneOf('RecordMessageDeletion'), ...where, messageId: oneOf(messageId(snowflake('900001'))) }),
)
