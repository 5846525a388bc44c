import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { z } from 'zod'
import { appendCommands } from '../../test/support/append-commands.ts'
import { call, register, type Person } from '../../test/support/load-api.ts'
import type { ProductProcess } from '../../test/support/product-process.ts'
import { layMessages } from '../identity/lay-messages.ts'
import { besideReads, notesBesideReads } from '../support/beside-reads.ts'
import { measureCores, postgresProcesses } from '../support/cpu.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, type Comparison, type Sample } from '../support/rounds.ts'
import { withProductAndStore } from '../support/with-product-and-store.ts'

const messages_count = 300_000
const batch_count = 100
const aboveIdle_MiB_max = 128
const poll_ms = 50

const queued = z.object({ job_id: z.string() })
const shown = z.object({ status: z.string(), processed: z.int().optional() })

/**
 * Delete all user messages, from the request to the end of its job, beside the bare delete of the same rows in batches of the same
 * size. Meanwhile, on both sides, a member reads its guild.
 */
export async function shredLine({ rounds }: LineSettings): Promise<Comparison> {
  return withProductAndStore(async (product, { database: { pool }, events }) => {
    const root = await call(product.url, register('root'))
    await appendCommands(events, root, [{ type: 'SetAcls', acls: ['*'] }])
    const { id: author } = await call(product.url, register('author'))
    const postgres = await postgresProcesses(pool)
    const laid = () => layMessages(pool, author, messages_count)
    const bare = async (): Promise<Sample> => {
      await laid()
      const cores = measureCores({ load: () => [process.pid], postgres })
      const details = await besideReads(product, root, () => deleteBare(pool, author))
      return { rate: (messages_count * 1000) / details.took_ms, cores: cores(), details }
    }
    const own = async (): Promise<Sample> => {
      await laid()
      const cores = measureCores({ server: () => [product.pid], load: () => [process.pid], postgres })
      const details = await besideReads(product, root, () => shred(product, root, author))
      return { rate: (messages_count * 1000) / details.took_ms, cores: cores(), details }
    }
    const line = { line: 'shred', unit: 'messages/s', target: 0.5, rounds, baseline: bare, product: own }
    const compared = await compare(line)
    return { ...compared, notes: [`${messages_count} messages`, ...notesBesideReads(compared, aboveIdle_MiB_max)] }
  })
}

/** The ids are known beforehand, and nobody is told. */
async function deleteBare(pool: pg.Pool, author: string): Promise<void> {
  const { rows: channels } = await pool.query<{ readonly channel_id: string; readonly ids: readonly string[] }>(
    'select channel_id, array_agg(id order by id) as ids from messages.messages where author_id = $1 group by 1',
    [author],
  )
  for (const { channel_id: channel, ids } of channels)
    for (let from = 0; from < ids.length; from += batch_count)
      await pool.query('delete from messages.messages where channel_id = $1 and id = any($2::int8[])', [
        channel,
        ids.slice(from, from + batch_count),
      ])
}

async function shred({ url }: ProductProcess, { token }: Person, author: string): Promise<void> {
  const { job_id: job } = await call(url, {
    method: 'DELETE',
    path: `/v1/admin/users/${author}/messages?dry_run=false`,
    token,
    parse: (answer) => queued.parse(answer),
  })
  for (;;) {
    const parse = (answer: unknown) => shown.parse(answer)
    const now = await call(url, { method: 'GET', path: `/v1/admin/messages/shreds/${job}`, token, parse })
    if (now.status === 'failed') throw new Error('The job failed')
    if (now.status === 'completed') {
      if (now.processed === messages_count) return
      throw new Error(`${now.processed} of ${messages_count} messages were deleted`)
    }
    await pause(poll_ms)
  }
}
