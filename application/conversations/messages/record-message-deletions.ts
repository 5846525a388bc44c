import type { GuildAuditCommand } from '../../../domain/guild-audit/commands.js'
import { guildAuditId } from '../../../domain/guild-audit/state.js'
import { entryId, type GuildId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import type { Caller } from '../../caller.js'
import { commandContext, type CommandContext } from '../../commands/command-context.js'
import type { UnrecordedDeletion } from '../../ports/messages.js'
import type { Ports } from '../../ports.js'

type Needs = Pick<Ports, 'aggregates' | 'messages'>

/** What a caller is about to delete. */
type Deleting = Pick<UnrecordedDeletion, 'channelId' | 'messageId' | 'count'> & { readonly guildId: GuildId | null }

/**
 * What a guild's audit log is to tell of messages that the caller is about to delete (reference gateway 5.7: of every deletion in a
 * guild channel, the author's own included); nothing in a private channel. It is kept with the deletion, and `recordDeletion`
 * follows: a process that dies in between leaves it to `recordLeftDeletions`.
 */
export function deletionBy(
  { account, context }: Caller,
  { guildId, ...deleting }: Deleting,
): UnrecordedDeletion | undefined {
  if (guildId === null) return undefined
  const { now: at, commandId, correlationId, causationId, reason = null } = context
  const cause = { deletedBy: account.id, at, commandId, correlationId, causationId, reason }
  return { entryId: entryId(context.newId()), guildId, ...deleting, ...cause }
}

/** Lets the audit log tell of a deletion that was done: MESSAGE_DELETE, or MESSAGE_BULK_DELETE. Safe to repeat. */
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

function commandOf({ entryId: id, guildId, channelId, messageId, count }: UnrecordedDeletion): GuildAuditCommand {
  const entry = { entryId: id, guildId, channelId }
  return messageId === null
    ? { type: 'RecordBulkDeletion', ...entry, count }
    : { type: 'RecordMessageDeletion', ...entry, messageId }
}

/** Deletions that are recorded in one go; what is behind them comes with the next. */
const deletions_max = 500

/**
 * Makes what records the deletions before an instant whose processes died before they did, each once, whoever else records it at the
 * same time: its event is the very one that the request would have written. Gives how many. One that fails keeps none of the others
 * from it; then it rejects.
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

/** The context of the request that deleted. */
function contextOf({
  commandId,
  correlationId,
  causationId,
  deletedBy,
  reason,
  at,
}: UnrecordedDeletion): CommandContext {
  return commandContext({
    commandId,
    correlationId,
    causationId,
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
  throw new Error('What records a deletion makes up nothing: all of it follows from the deletion')
}
