import { z } from 'zod'
import { appendCommands } from '../../test/support/append-commands.ts'
import { call, register, type Person } from '../../test/support/load-api.ts'
import type { ProductProcess } from '../../test/support/product-process.ts'
import { layMessages } from '../identity/lay-messages.ts'
import { besideReads, notesBesideReads } from '../support/beside-reads.ts'
import { postgresProcesses, measureCores } from '../support/cpu.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, spread, verdictOf, type Comparison, type Sample } from '../support/rounds.ts'
import { withProductAndStore } from '../support/with-product-and-store.ts'

const took_ms_max = 2000
const aboveIdle_MiB_max = 128
/** One count is too short to tell how others are served meanwhile. */
const counts_count = 10
const counted = z.object({ message_count: z.int() })

/**
 * The dry run of Delete all user messages, which counts an author's messages and their channels, beside the bare count of the same
 * rows. Meanwhile a member reads its guild.
 */
export async function messageCountLine({ rounds, messages }: LineSettings): Promise<Comparison> {
  return withProductAndStore(async (product, { database: { pool }, events }) => {
    const root = await call(product.url, register('root'))
    await appendCommands(events, root, [{ type: 'SetAcls', acls: ['*'] }])
    const { id: author } = await call(product.url, register('author'))
    await layMessages(pool, author, messages)
    const postgres = await postgresProcesses(pool)
    const bare = async (): Promise<Sample> => {
      const cores = measureCores({ load: () => [process.pid], postgres })
      const began = performance.now()
      await pool.query('select count(*) from messages.messages where author_id = $1', [author])
      const took_ms = performance.now() - began
      return { rate: 1000 / took_ms, cores: cores(), details: { took_ms } }
    }
    const own = async (): Promise<Sample> => {
      const cores = measureCores({ server: () => [product.pid], load: () => [process.pid], postgres })
      let took_ms = 0
      const cost = await besideReads(product, root, async () => {
        for (let turn = 0; turn < counts_count; turn += 1) {
          const began = performance.now()
          await count(product, root, author, messages)
          took_ms = Math.max(took_ms, performance.now() - began)
        }
      })
      return { rate: (counts_count * 1000) / cost.took_ms, cores: cores(), details: { ...cost, took_ms } }
    }
    await bare()
    const compared = await compare({ line: 'message-count', unit: 'counts/s', rounds, baseline: bare, product: own })
    const { max } = spread(compared.samples.map((sample) => sample.product.details['took_ms'] ?? Number.NaN))
    const note = `${messages} messages of one author: ${max.toFixed(0)} ms at most, of ${took_ms_max}: ${verdictOf(max <= took_ms_max)}`
    return { ...compared, notes: [note, ...notesBesideReads(compared, aboveIdle_MiB_max)] }
  })
}

async function count({ url }: ProductProcess, { token }: Person, author: string, messages: number): Promise<void> {
  const { message_count } = await call(url, {
    method: 'DELETE',
    path: `/v1/admin/users/${author}/messages?dry_run=true`,
    token,
    parse: (answer) => counted.parse(answer),
  })
  if (message_count !== messages) throw new Error(`${message_count} of ${messages} messages were counted`)
}
