import { openEventStoreDb } from '../../adapters/event-store/eventstoredb/open-event-store.ts'
import { memoryPersonalDataKeys } from '../../test/support/memory/memory-keys.ts'
import { startEventStoreServer } from '../../test/support/event-store-server.ts'
import { rawEventStoreDb } from '../events/raw-eventstoredb.ts'
import { written } from '../events/writers.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, type Comparison } from '../support/rounds.ts'
import { appendTo } from './appends.ts'

const writerCounts = [1, 8, 32] as const
const warmUp_s = 1
const prefix = 'bench-'

/**
 * Appends to EventStoreDB by the product's adapter, beside the unmodified client. The server is the one that EVENTSTORE_URL
 * names, or the tests' double in a process of its own. The double shows what the adapter costs, not what EventStoreDB can do.
 */
export async function distributedAppendsLine({ seconds, rounds }: LineSettings): Promise<readonly Comparison[]> {
  const eventStore = await startEventStoreServer()
  const store = await openEventStoreDb({ url: eventStore.url, keys: memoryPersonalDataKeys() })
  const raw = rawEventStoreDb(eventStore.url)
  try {
    const comparisons: Comparison[] = []
    for (const writers of writerCounts) {
      const server = { server: eventStore.kind, pids: () => eventStore.pids() } as const
      const product = (for_s = seconds) => written({ write: appendTo(store), writers, seconds: for_s, ...server })
      const baseline = (for_s = seconds) =>
        written({ write: (event) => raw.append(event, prefix), writers, seconds: for_s, ...server })
      await baseline(warmUp_s)
      await product(warmUp_s)
      const line = `distributed appends, ${writers} writer${writers === 1 ? '' : 's'}`
      const sides = { line, unit: 'events/s', rounds, baseline: () => baseline(), product: () => product() }
      comparisons.push(await compare(sides))
    }
    return comparisons
  } finally {
    await store.close()
    await raw.close()
    await eventStore.stop()
  }
}
