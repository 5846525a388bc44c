import { postgresBackgroundJobs } from '../../adapters/background-jobs/postgres-background-jobs.js'
import { postgresBackgroundWork } from '../../adapters/background-jobs/postgres-background-work.js'
import { runBackgroundJob } from '../../application/administration/jobs/run-background-job.js'
import { deletingAllMessages } from '../../application/administration/messages/delete-all-messages.js'
import type { Ports } from '../../application/ports.js'
import { backgroundJobId } from '../../domain/ids/ids.js'
import { snowflake } from '../../domain/ids/snowflake.js'
import { timestamp } from '../../domain/kernel/timestamp.js'
import { measureCores, postgresProcesses } from '../support/cpu.js'
import type { LineSettings } from '../support/line.js'
import { author, channels, home, withMessagesSite, type MessagesSite } from '../support/messages-site.js'
import { compare, spread, type Comparison, type Sample } from '../support/rounds.js'

const messages_count = 100_000
const batch_count = 100
const MiB = 1024 * 1024

/** The places of the messages, at hand: read models have no part in this line. */
const queries = {
  guilds: { find: async () => ({ id: home, channels: channels.map((id) => ({ id, type: 0 })) }) },
  positions: { held: async () => 0n },
} as unknown as Ports['queries']

/** A job that deletes all messages of an author, beside the bare delete of the same rows in batches of the same size. */
export async function shredLine({ rounds }: LineSettings): Promise<Comparison> {
  return withMessagesSite(async (site) => {
    const postgres = await postgresProcesses(site.database.pool)
    const timed = async (work: () => Promise<void>): Promise<Sample> => {
      await site.database.pool.query('truncate messages.messages, messages.notices')
      await site.write(messages_count)
      const idle = process.memoryUsage().rss
      let highest = idle
      const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 20)
      const cores = measureCores({ server: () => [process.pid], postgres })
      const began = performance.now()
      await work()
      const rate = messages_count / ((performance.now() - began) / 1000)
      clearInterval(watch)
      return { rate, cores: cores(), details: { memory_mb: (highest - idle) / MiB } }
    }
    const compared = await compare({
      line: 'shred',
      unit: 'messages/s',
      target: 0.5,
      rounds,
      baseline: () => timed(() => deleteBare(site)),
      product: () => timed(() => shred(site)),
    })
    const { max } = spread(compared.samples.map((sample) => sample.product.details['memory_mb'] ?? Number.NaN))
    return {
      ...compared,
      notes: [`${messages_count} messages in ${channels.length} channels; ${max.toFixed(0)} MB above idle at most`],
    }
  })
}

/** The ids are known beforehand, and nobody is told. */
async function deleteBare({ database: { pool } }: MessagesSite): Promise<void> {
  for (const channel of channels) {
    const { rows } = await pool.query<{ readonly id: string }>(
      'select id from messages.messages where author_id = $1 and channel_id = $2 order by id',
      [author, channel],
    )
    for (let from = 0; from < rows.length; from += batch_count)
      await pool.query('delete from messages.messages where channel_id = $1 and id = any($2::int8[])', [
        channel,
        rows.slice(from, from + batch_count).map(({ id }) => id),
      ])
  }
}

let jobs = 0

async function shred({ database, opened }: MessagesSite): Promise<void> {
  jobs += 1
  const jobId = backgroundJobId(snowflake(`${jobs}`))
  const { newest, message_count: total } = await opened.authorMessages.count(author)
  if (newest === null) throw new Error('There is nothing to delete')
  await postgresBackgroundJobs(database).add({
    jobId,
    task: 'delete_user_messages',
    work: { author, upTo: newest },
    payload: {},
    total,
    requestedBy: author,
    reason: null,
    commandId: '01a1f8ef-9cd2-7050-9050-505050505050',
    createdAt: timestamp(Date.now()),
  })
  const tasks = { delete_user_messages: deletingAllMessages({ authorMessages: opened.authorMessages, queries }) }
  const work = postgresBackgroundWork(database)
  const run = runBackgroundJob({ work, tasks, now: () => timestamp(Date.now()) })
  // A turn of a worker ends after a while, and the next one continues.
  while ((await work.due(1)).length > 0) await run(jobId, new AbortController().signal)
  const { deleted_count } = await opened.authorMessages.shredded(jobId)
  if (deleted_count !== total) throw new Error(`${deleted_count} of ${total} messages were deleted`)
}
