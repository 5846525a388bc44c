import path from 'node:path'
import { startEmbeddedPostgres } from '../../adapters/postgres/embedded/start.ts'
import { beforeAll } from '../../domain/kernel/position.ts'
import { personalDataKey } from '../../cli/personal-data-key.ts'
import { openStore } from '../../process/store.ts'
import { readModels } from '../../projections/read-models.ts'
import { startProjections } from '../../projections/runner/runner.ts'
import { openDatabase } from '../../adapters/postgres/database.ts'
import { startProduct } from '../../test/support/product-process.ts'
import { seedHistory } from '../rebuild/seed-history.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, verdictOf, type Comparison, type Sample } from '../support/rounds.ts'
import { scratch } from '../support/scratch.ts'

/** A restart below this counts as short (issue: 1,000,000 events). */
const ready_ms_aim = 3000

/** From the start of the process to its ready line, with a long history and up-to-date read models, beside an empty history. */
export async function restartLine({ rounds, events: events_min }: LineSettings): Promise<Comparison> {
  const [old, fresh] = [scratch(), scratch()]
  try {
    const events = await age(old.folder, events_min)
    await restarted(fresh.folder)
    await restarted(old.folder)
    const compared = await compare({
      line: 'restart',
      unit: 'starts/min',
      target: 0.9,
      rounds,
      baseline: () => restarted(fresh.folder),
      product: () => restarted(old.folder),
    })
    const slowest_ms = Math.max(...compared.samples.map(({ product }) => product.details['ready_ms'] ?? Number.NaN))
    const verdict = verdictOf(slowest_ms <= ready_ms_aim)
    return {
      ...compared,
      notes: [`${events} events; the slowest restart took ${Math.round(slowest_ms)} ms of ${ready_ms_aim}: ${verdict}`],
    }
  } finally {
    old.remove()
    fresh.remove()
  }
}

/** Gives the data folder of an instance a history and its read models. Gives the number of events. */
async function age(folder: string, events_min: number): Promise<number> {
  const postgres = await startEmbeddedPostgres({ folder: path.join(folder, 'postgres') })
  const key = await personalDataKey(undefined, folder)
  const onError = (error: unknown): void => console.error(error)
  const store = await openStore({ connection: postgres.connection, personalDataKey: key, onError })
  try {
    const events = await seedHistory(store.events, events_min)
    const database = openDatabase(postgres.connection, { customPlans: true, holdsLocks: true })
    const projections = await startProjections({
      pool: database.pool,
      notifier: store.notifier,
      store: store.events,
      projections: readModels,
      onCommitted: () => Promise.resolve(),
      onError,
    })
    const until = await store.events.end()
    for (let position = beforeAll; position < until;) {
      const status = await projections.status()
      position = status.reduce((lowest, model) => (model.position < lowest ? model.position : lowest), until)
      if (position < until) await new Promise((resolve) => setTimeout(resolve, 200))
    }
    await projections.stop()
    await database.close()
    return events
  } finally {
    await store.close()
    await postgres.stop()
  }
}

async function restarted(folder: string): Promise<Sample> {
  const product = await startProduct({ dataDir: folder })
  await product.stop()
  return { rate: 60_000 / product.ready_ms, cores: {}, details: { ready_ms: product.ready_ms } }
}
