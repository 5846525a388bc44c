import { auditActions } from '../../../domain/audit/audit-actions.ts'
import type { GuildAuditEntry } from '../../../domain/audit/audit-entry.ts'
import { guildAuditId } from '../../../domain/guild-audit/state.ts'
import { channelId, entryId, type EntryId, type GuildId } from '../../../domain/ids/ids.ts'
import { composeSnowflake, snowflake, snowflakeMs } from '../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { deriveId } from '../../commands/derive-id.ts'
import { contextWith } from '../../commands/following-context.ts'
import type { AuditLogPage } from '../../ports/queries/audit-log-queries.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'aggregates' | 'queries' | 'readModels'>
type Run = readonly [GuildAuditEntry, GuildAuditEntry, ...GuildAuditEntry[]]

/**
 * How many entries from the page's beginning on are searched for runs: the log of a month remembers this many single deletions.
 */
const lookedAt_max = 1000

/**
 * Folds each run of deletions that a page of a guild's audit log contains or begins in. A run is two or more deletions
 * by one actor in one channel within one month, with nothing between them. The folded entry has a new id and takes the
 * place of the newest of them. Concurrent reads do not fold a run twice. True if anything was folded. See
 * rules/guilds#audit-log.
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

/** Whether entries, newest first, contain a run to fold. */
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

/** The entries of the run are newest first. */
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
 * A new id of the same millisecond. The worker that folds may have made the entry's id itself in that millisecond. So the other
 * bits are random instead of worker id and counter, as in ids made for now.
 */
function besideOf({ id }: Pick<GuildAuditEntry, 'id'>, context: CommandContext): EntryId {
  const [low = 0, middle = 0, high = 0] = context.randomBytes(3)
  const made = entryId(composeSnowflake(snowflakeMs(id), low + middle * 2 ** 8 + (high % 2 ** 6) * 2 ** 16))
  return made === id ? besideOf({ id }, context) : made
}

/** Each fold has its own command, which no request sent. */
function contextOf({ entryId: id }: { readonly entryId: EntryId }, context: CommandContext): CommandContext {
  const actor = { kind: 'system', name: 'audit log' } as const
  return contextWith(context, { commandId: deriveId(context.commandId, `fold ${id}`), actor, mayRepeat: false })
}
