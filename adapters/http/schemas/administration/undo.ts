import { z } from 'zod'
import { objectOf, wireObject, type ObjectOf } from '../../../../application/wire-objects/declaration.ts'
import { snowflakeOutput, timestampOutput } from '../../../../application/wire-objects/scalars.ts'
import type { Timestamp } from '../../../../domain/kernel/timestamp.ts'
import { entryIdInput, withDefault } from '../scalars.ts'

/** An entry of the admin audit log, or an event of an act that leaves none there. */
export const undoParams = z.object({ entry_id: z.union([entryIdInput, z.uuid()]) })

export const undoWishes = z.object({ notify_user: withDefault(z.boolean(), true) })

export const undoneReply = wireObject('UndoneEntry', {
  undone_entry_id: snowflakeOutput.nullable().describe('Null for an act without an entry.'),
  operations: z
    .array(z.string())
    .readonly()
    .describe('The operations that took it back, as which the admin audit log records them, each once.'),
  replaced_until: timestampOutput
    .nullable()
    .describe('When the ban or deletion would have ended that the undone one had replaced: it does not come back.'),
})

/** What was taken back, and by what. */
export function undoneObject(undone: {
  readonly entryId: string | null
  readonly operations: readonly string[]
  readonly replacedUntil: Timestamp | null
}): ObjectOf<typeof undoneReply> {
  return objectOf(undoneReply, {
    undone_entry_id: undone.entryId,
    operations: [...new Set(undone.operations)],
    replaced_until: undone.replacedUntil,
  })
}
