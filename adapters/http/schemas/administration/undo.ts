import { z } from 'zod'
import { objectOf, wireObject, type ObjectOf } from '../../../../application/wire-objects/declaration.ts'
import { snowflakeOutput, timestampOutput } from '../../../../application/wire-objects/scalars.ts'
import type { EntryId } from '../../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../../domain/kernel/timestamp.ts'
import { entryIdInput, withDefault } from '../scalars.ts'

export const undoParams = z.object({ entry_id: entryIdInput })

export const undoWishes = z.object({ notify_user: withDefault(z.boolean(), true) })

export const undoneReply = wireObject('UndoneEntry', {
  undone_entry_id: snowflakeOutput,
  operation: z.string().describe('The operation that took it back, as which the admin audit log records it.'),
  replaced_until: timestampOutput
    .nullable()
    .describe('When the ban or deletion would have ended that the undone one had replaced: it does not come back.'),
})

export function undoneObject(
  entry: EntryId,
  operation: string,
  replacedUntil: Timestamp | null,
): ObjectOf<typeof undoneReply> {
  return objectOf(undoneReply, {
    undone_entry_id: entry,
    operation,
    replaced_until: replacedUntil,
  })
}
