import { auditActions } from '../../../domain/audit/audit-actions.js'
import type { GuildAuditEntry } from '../../../domain/audit/audit-entry.js'
import { guildAuditId } from '../../../domain/guild-audit/state.js'
import { channelId, entryId, type EntryId, type GuildId } from '../../../domain/ids/ids.js'
import { composeSnowflake, snowflake, snowflakeMs } from '../../../domain/ids/snowflake.js'
import { timestamp } from '../../../domain/kernel/timestamp.js'
import type { CommandContext } from '../../commands/command-context.js'
import { deriveId } from '../../commands/derive-id.js'
import { contextWith } from '../../commands/following-context.js'
import type { AuditLogPage } from '../../ports/queries/audit-log-queries.js'
import type { Ports } from '../../ports.js'

type Needs = Pick<Ports, 'aggregates' | 'queries' | 'readModels'>
type Run = readonly [GuildAuditEntry, GuildAuditEntry, ...GuildAuditEntry[]]

/** How far beyond a page it is looked for deletions that belong together: what a month of a log knows one by one. */
const lookedAt_max = 1000

/**
 * Makes one entry of each run of deletions that a page of a guild's audit log begins with or holds: two or more of one actor in one
 * channel, with nothing between them, of one month. It has a new id, and stands where the newest of them stood. Who reads at the
 * same time makes no second one. True where anything was folded. Reference gateway 5.6.
 */
export async function foldMessageDeletions(
  { aggregates, queries, readModels }: Needs,
  context: CommandContext,
  guildId: GuildId,
  { page, oldest }: { readonly page: Pick<AuditLogPage, 'before' | 'after'>; readonly oldest: EntryId },
): Promise<boolean> {
  const runs = runsIn(await queries.auditLog.page(guildId, { ...page, limit: lookedAt_max }, oldest))
  for (const run of runs) {
    const command = foldOf(run, context)
    await aggregates.guildAudit.execute(guildAuditId(guildId, timeOf(run[0])), command, contextOf(command, context))
  }
  await readModels.reached(context.written)
  return runs.length > 0
}

/** Whether entries, newest first, hold a run that could be folded. */
export function holdsRun(entries: readonly GuildAuditEntry[]): boolean {
  return runsIn(entries).length > 0
}

function runsIn(entries: readonly GuildAuditEntry[]): readonly Run[] {
  const runs: GuildAuditEntry[][] = []
  let previous: GuildAuditEntry | undefined
  for (const entry of entries) {
    if (previous && belongTogether(previous, entry)) runs.at(-1)?.push(entry)
    else runs.push([entry])
    previous = entry
  }
  return runs.flatMap(([first, second, ...others]): readonly Run[] =>
    first && second ? [[first, second, ...others]] : [],
  )
}

function belongTogether(one: GuildAuditEntry, other: GuildAuditEntry): boolean {
  const areDeletions = [one, other].every(({ actionType }) => actionType === auditActions.MESSAGE_DELETE)
  if (!areDeletions || one.userId !== other.userId || one.options.channel_id !== other.options.channel_id) return false
  return guildAuditId(one.guildId, timeOf(one)) === guildAuditId(other.guildId, timeOf(other))
}

const timeOf = ({ id }: GuildAuditEntry): string => timestamp(snowflakeMs(id))

/** Of a run, newest first. */
function foldOf(run: Run, context: CommandContext) {
  const [newest] = run
  const { guildId, userId: deletedBy, reason, options } = newest
  return {
    type: 'FoldMessageDeletions',
    entryId: besideOf(newest, context),
    guildId,
    channelId: channelId(snowflake(options.channel_id ?? '0')),
    deletedBy,
    folded: run.map(({ id }) => id).toReversed(),
    reason: run.every((entry) => entry.reason === reason) ? reason : null,
  } as const
}

/**
 * An id of the same millisecond, in which whoever folds may have made the entry itself: so its other bits are chance, and not the
 * worker's number and count as in an id that is made for now.
 */
function besideOf({ id }: Pick<GuildAuditEntry, 'id'>, context: CommandContext): EntryId {
  const [low = 0, middle = 0, high = 0] = context.randomBytes(3)
  const made = entryId(composeSnowflake(snowflakeMs(id), low + middle * 2 ** 8 + (high % 2 ** 6) * 2 ** 16))
  return made === id ? besideOf({ id }, context) : made
}

/** A command of its own for each fold, which nobody has sent. */
function contextOf({ entryId: id }: { readonly entryId: EntryId }, context: CommandContext): CommandContext {
  const actor = { kind: 'system', name: 'audit log' } as const
  return contextWith(context, { commandId: deriveId(context.commandId, `fold ${id}`), actor, mayRepeat: false })
}
