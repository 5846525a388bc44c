import type { GuildAuditCommand } from '../../../domain/guild-audit/commands.ts'
import { guildAuditId } from '../../../domain/guild-audit/state.ts'
import { entryId, type GuildId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Caller } from '../../caller.ts'
import { causeOf, commandContext, type CommandContext } from '../../commands/command-context.ts'
import type { UnrecordedDeletion } from '../../ports/messages.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'aggregates' | 'messages'>

/** The deletion, or the pin or its end, that a caller is about to make. */
type Deleting = Pick<UnrecordedDeletion, 'channelId' | 'messageId' | 'count' | 'pins'> & {
  readonly guildId: GuildId | null
}

/**
 * The audit log facts of a deletion that the caller is about to make; undefined in a private channel. Every deletion in
 * a guild channel is recorded, including the author's own. The facts are stored with the deletion, and `recordDeletion`
 * follows. If the process dies in between, `recordLeftDeletions` records it.
 */
export function deletionBy(
  { account, context }: Caller,
  { guildId, ...deleting }: Deleting,
): UnrecordedDeletion | undefined {
  if (guildId === null) return undefined
  const { now: at, commandId, reason = null } = context
  const deletedBy = account.id
  return {
    entryId: entryId(context.newId()),
    guildId,
    ...deleting,
    deletedBy,
    at,
    commandId,
    ...causeOf(context),
    reason,
  }
}

/**
 * Records a finished act in the audit log: MESSAGE_DELETE, MESSAGE_BULK_DELETE, MESSAGE_PIN or MESSAGE_UNPIN. Safe to
 * repeat.
 */
export async function recordDeletion(
  { aggregates, messages }: Needs,
  deletion: UnrecordedDeletion | undefined,
  context: CommandContext,
): Promise<void> {
  if (!deletion) return
  const { guildId, at } = deletion
  await aggregates.guildAudit.execute(guildAuditId(guildId, at), commandOf(deletion), context)
  await messages.noteRecorded(deletion.entryId)
}

function commandOf({ entryId: id, guildId, channelId, messageId, count, pins }: UnrecordedDeletion): GuildAuditCommand {
  const entry = { entryId: id, guildId, channelId }
  if (messageId === null) return { type: 'RecordBulkDeletion', ...entry, count }
  return pins !== undefined
    ? { type: 'RecordPin', ...entry, messageId, pinned: pins }
    : { type: 'RecordMessageDeletion', ...entry, messageId }
}

/** How many deletions are recorded in one run; the next run takes the rest. */
const deletions_max = 500

/**
 * Records deletions, made before an instant, whose processes died before they recorded them. Each is recorded once, even if
 * somebody else does it at the same time: the event is the same one that the request would have written. Gives the number
 * recorded. If some fail, the others are still recorded; then it rejects.
 */
export function recordLeftDeletions(ports: Needs) {
  return async (before: Timestamp): Promise<number> => {
    const left = await ports.messages.unrecordedDeletions(before, deletions_max)
    const failures: unknown[] = []
    for (const deletion of left) {
      try {
        await recordDeletion(ports, deletion, contextOf(deletion))
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} deletions could not be recorded`)
    return left.length
  }
}

/** The context of the request that made the deletion. */
function contextOf({
  commandId,
  correlationId,
  causationId,
  operation,
  deletedBy,
  reason,
  at,
}: UnrecordedDeletion): CommandContext {
  return commandContext({
    commandId,
    correlationId,
    causationId,
    operation,
    actor: { kind: 'account', id: deletedBy },
    reason: reason ?? undefined,
    now: at,
    mayRepeat: true,
    isKeyed: false,
    newId: madeUp,
    randomBytes: madeUp,
  })
}

function madeUp(): never {
  throw new Error('Recording a deletion must not make new ids: they derive from the deletion')
}
