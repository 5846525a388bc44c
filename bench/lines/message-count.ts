import { measureCores, postgresProcesses } from '../support/cpu.js'
import type { LineSettings } from '../support/line.js'
import { author, withMessagesSite } from '../support/messages-site.js'
import { compare, spread, type Comparison, type Sample } from '../support/rounds.js'

const messages_count = 1_000_000

/** Counting the messages of one author, with their channels, beside the bare count of the same rows. */
export async function messageCountLine({ rounds }: LineSettings): Promise<Comparison> {
  return withMessagesSite(async (site) => {
    const { database, opened } = site
    await site.write(messages_count)
    const postgres = await postgresProcesses(database.pool)
    const timed = async (count: () => Promise<unknown>): Promise<Sample> => {
      const cores = measureCores({ load: () => [process.pid], postgres })
      const began = performance.now()
      await count()
      const took_ms = performance.now() - began
      return { rate: 1000 / took_ms, cores: cores(), details: { took_ms } }
    }
    const baseline = () =>
      timed(() => database.pool.query('select count(*) from messages.messages where author_id = $1', [author]))
    const product = () => timed(() => opened.authorMessages.count(author))
    await baseline()
    await product()
    const compared = await compare({ line: 'message-count', unit: 'counts/s', rounds, baseline, product })
    const { max } = spread(compared.samples.map((sample) => sample.product.details['took_ms'] ?? Number.NaN))
    return { ...compared, notes: [`${messages_count} messages of one author: ${max.toFixed(0)} ms at most (2000 ms)`] }
  })
}
