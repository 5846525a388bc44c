import { postgresBackgroundJobs } from '../../adapters/background-jobs/postgres-background-jobs.ts'
import { queueRewind, type QueuedRewind } from '../../application/administration/rewinds/queue-rewind.ts'
import type { CommandContext } from '../../application/commands/command-context.ts'
import { contextWith } from '../../application/commands/following-context.ts'
import type { GuildId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { openAggregates } from '../../process/aggregates.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import type { Store } from '../../process/store.ts'
import { openQueries } from '../../projections/read-models.ts'
import { actAsOperator } from '../operator/act-as-operator.ts'
import type { Print } from '../operator/act-on.ts'
import { operatorAccount } from '../operator/operator.ts'
import { besideServer } from './beside.ts'
import { guildIn } from './guild-named.ts'
import { instantIn } from './instant-named.ts'
import { operatorContext } from './operator-context.ts'
import { unlessRefused } from './refused-moments.ts'

export interface RewindOptions {
  /** An instant. */
  readonly to: string
  readonly dryRun?: boolean
}

/**
 * Prints what brings a guild back to a moment and what does not come back, and queues the job that a server does. A dry run only
 * prints. Rejects with a line for the operator where the rewind is refused.
 */
export async function rewindGuild(
  text: string,
  { to: time, dryRun = false }: RewindOptions,
  print: Print,
): Promise<void> {
  const id = guildIn(text)
  const to = instantIn(time, '--to')
  if (to === undefined) throw new Error('--to takes an instant as in 2030-01-31T12:00:00Z')
  await besideServer(async (store) => {
    await refuseWithoutReadModels(store)
    const rewinding = dryRun
      ? queued(store, operatorContext(), id, { to, dryRun })
      : actAsOperator(store, {
          action: 'rewind_guild',
          target: { type: 'guild', id },
          run: (context) => queued(store, context, id, { to, dryRun }),
          metadata: ({ job_id: jobId }) => ({ to, ...(jobId !== null && { job_id: jobId }) }),
        })
    printRewind(await unlessRefused(rewinding, `There is no guild ${id}`), dryRun, print)
  })
}

function queued(
  store: Store,
  context: CommandContext,
  id: GuildId,
  wishes: { readonly to: Timestamp; readonly dryRun: boolean },
): Promise<QueuedRewind> {
  const { events, snapshots, database } = store
  const queue = queueRewind({
    events,
    aggregates: openAggregates({ store: events, snapshots }),
    queries: openQueries(database),
    backgroundJobs: postgresBackgroundJobs(database),
  })
  const credential = { kind: 'command_line' } as const
  // What the job does belongs to this operation, as if it had been asked for over HTTP.
  return queue(
    { account: operatorAccount, credential, context: contextWith(context, { operation: 'Rewind guild' }) },
    id,
    wishes,
  )
}

function printRewind({ job_id: jobId, changes, truncated, lost }: QueuedRewind, dryRun: boolean, print: Print): void {
  for (const text of changes) print(text)
  if (changes.length === 0) print('Nothing differs.')
  if (truncated) print(`These are the first ${changes.length} changes; there are more.`)
  if (lost.length > 0) print('Does not come back:')
  for (const { text, why } of lost) print(`  ${text} (${why})`)
  if (dryRun) print('Nothing was done.')
  else if (jobId !== null) print(`Job ${jobId} does it as soon as a server runs: within a minute, if one is running.`)
}
