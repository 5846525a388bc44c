import path from 'node:path'
import type pg from 'pg'
import { openPostgresEventStore } from '../../adapters/event-store/postgres/open-event-store.ts'
import { memoryPersonalDataKeys } from '../../test/support/memory/memory-keys.ts'
import { openDatabase } from '../../adapters/postgres/database.ts'
import { openNotifier } from '../../adapters/postgres/notifier.ts'
import { migrate } from '../../adapters/postgres/migrate.ts'
import { startEmbeddedPostgres, type Connection } from '../../adapters/postgres/embedded/start.ts'
import type { EventStore } from '../../application/ports/event-store.ts'
import { noStream } from '../../domain/kernel/position.ts'
import { storedParts, type NewStream } from '../events/invite-created.ts'
import { written } from '../events/writers.ts'
import { postgresProcesses } from '../support/cpu.ts'
import type { LineSettings } from '../support/line.ts'
import { openPool } from '../support/pool.ts'
import { compare, type Comparison } from '../support/rounds.ts'
import { scratch } from '../support/scratch.ts'

const writerCounts = [1, 8, 32] as const
const target = { 1: undefined, 8: undefined, 32: 2 } as const
const warmUp_s = 1

/** The baseline's table has the same columns and indexes as the store's. */
const rawTable = `
  create schema bench;
  create table bench.events (like event_store.events including all)`
const rawInsert = `insert into bench.events (stream, revision, event_id, type, data, metadata) values ($1, $2, $3, $4, $5, $6)`

/** Appends to the embedded store by a number of writers, beside autocommitted INSERTs of the same bytes by as many writers. */
export async function appendsLine({ seconds, rounds }: LineSettings): Promise<readonly Comparison[]> {
  const place = scratch()
  const postgres = await startEmbeddedPostgres({ folder: path.join(place.folder, 'postgres') })
  try {
    return await onPostgres(postgres.connection, { seconds, rounds })
  } finally {
    await postgres.stop()
    place.remove()
  }
}

async function onPostgres(
  connection: Connection,
  { seconds, rounds }: Pick<LineSettings, 'seconds' | 'rounds'>,
): Promise<readonly Comparison[]> {
  const database = openDatabase(connection)
  await migrate({ database, connection })
  const notifier = openNotifier({ connection, onError: () => undefined })
  const store = openPostgresEventStore({ database, connection, notifier, keys: memoryPersonalDataKeys() })
  const raw = openPool(connection, Math.max(...writerCounts))
  try {
    await raw.query(rawTable)
    const cores = await postgresProcesses(raw)
    const comparisons: Comparison[] = []
    for (const writers of writerCounts) {
      const measured = (write: (event: NewStream) => Promise<unknown>, for_s: number) =>
        written({ write, writers, server: 'postgres', pids: cores, seconds: for_s })
      const product = (for_s = seconds) => measured(appendTo(store), for_s)
      const baseline = (for_s = seconds) => measured(insertInto(raw), for_s)
      await baseline(warmUp_s)
      await product(warmUp_s)
      const line = `appends, ${writers} writer${writers === 1 ? '' : 's'}`
      const sides = { line, unit: 'events/s', rounds, baseline: () => baseline(), product: () => product() }
      const aim = target[writers]
      comparisons.push(await compare(aim === undefined ? sides : { ...sides, target: aim }))
    }
    return comparisons
  } finally {
    await store.close()
    await notifier.close()
    await raw.end()
    await database.close()
  }
}

export const appendTo =
  (store: EventStore) =>
  async ({ stream, event }: NewStream): Promise<void> => {
    const { outcome } = await store.append(stream, noStream, [event])
    if (outcome !== 'appended') throw new Error(`${stream}: ${outcome}`)
  }

const insertInto =
  (pool: pg.Pool) =>
  ({ stream, event }: NewStream): Promise<unknown> => {
    const { eventId, type, data, metadata } = storedParts(event)
    const values = [stream, 0, eventId, type, JSON.stringify(data), JSON.stringify(metadata)]
    return pool.query({ name: 'raw', text: rawInsert, values })
  }
