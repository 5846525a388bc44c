import { dueMigrations } from '../../adapters/postgres/migrate.ts'
import type { ReadModelProgress } from '../../application/ports/instance-status.ts'
import { beforeAll } from '../../domain/kernel/position.ts'
import type { PostgresConnection, PostgresDatabase } from '../../adapters/postgres/database.ts'
import { runningProcesses } from '../../adapters/processes/running-processes.ts'
import { readModels } from '../../projections/read-models.ts'
import { readModelStatus } from '../../projections/runner/status.ts'
import { keyState } from '../../adapters/personal-data/instance-key.ts'
import { keyAdvice, keyFault, keySource } from '../instance-key.ts'
import { refuseUnfinishedRestore } from '../../process/unfinished-restore.ts'
import { refuseOtherReadModels } from '../../process/read-models-fit.ts'
import type { Settings } from '../../process/settings/settings.ts'
import { openStore, type Store } from '../../process/store.ts'
import { checksOfHistory } from './beside-history.ts'
import { bad, checked, ok, warn, type Finding } from './finding.ts'

export interface HistorySource {
  readonly settings: Settings
  readonly database: PostgresDatabase
  readonly connection: PostgresConnection
  /** Undefined if there is none. */
  readonly personalDataKey: Uint8Array | undefined
}

const seePostgres = 'See the lines about postgres'

/** Behind by so many events, a running server is late. */
const lag_events_max = 1000n

/** The history of an instance, and what belongs to it. Changes nothing: with migrations due, it looks no further. */
export async function checkHistory(source: HistorySource): Promise<readonly Finding[]> {
  const { database, settings } = source
  const before = await checked('instance', 'Run the version of the server, or restore again', async () => {
    await refuseUnfinishedRestore(database.pool)
    const due = await dueMigrations(database)
    return due.length === 0
      ? ok('instance', 'its tables are up to date')
      : warn('instance', `${due.length} migrations are due`, 'The next start runs them; then ask again')
  })
  if (before.some(({ state }) => state !== 'ok')) return before
  const keys = [
    ...(await checked('processes', seePostgres, () => checkProcesses(database))),
    ...(await checkKeys(source)),
  ]
  const { personalDataKey } = source
  if (personalDataKey === undefined) return [...before, ...keys]
  const advice = settings.eventStoreUrl === undefined ? seePostgres : 'Check EVENTSTORE_URL, and that its server runs'
  const ofStore = await checked('event store', advice, () => withStore(source, personalDataKey))
  return [...before, ...keys, ...ofStore, ...(await checksOfHistory(database))]
}

async function checkProcesses(database: PostgresDatabase): Promise<readonly Finding[]> {
  const processes = await runningProcesses(database)
  if (processes.length === 0) return [ok('processes', 'none serves')]
  return processes.map(({ roles, version, since, worker_id: workerId }) =>
    ok('processes', `${roles.join(', ')} since ${since}, version ${version}, worker id ${workerId ?? 'not leased'}`),
  )
}

async function withStore(
  { connection, settings }: HistorySource,
  personalDataKey: Uint8Array,
): Promise<readonly Finding[]> {
  const { eventStoreUrl } = settings
  const store = await openStore({ connection, personalDataKey, eventStoreUrl, onError: () => undefined })
  try {
    const end = await store.events.end()
    const where = eventStoreUrl === undefined ? 'in Postgres' : 'EventStoreDB'
    return [
      ok('event store', `${where}, ${end === beforeAll ? 'without an event yet' : `up to position ${end}`}`),
      ...(await checked('read models', 'Run: guildhall replay', () => checkReadModels(store))),
    ]
  } finally {
    await store.close()
  }
}

/** A read model with parked streams shows what they were before. */
function parkedOf(all: readonly ReadModelProgress[]): readonly Finding[] {
  const parking = all.filter(({ parkedStreams }) => parkedStreams > 0)
  if (parking.length === 0) return []
  const counts = parking.map(({ name, parkedStreams }) => `${name} (${parkedStreams})`).join(', ')
  return [warn('read models', `streams are parked: ${counts}`, 'guildhall projections names them; the log says why')]
}

async function checkReadModels(store: Store): Promise<readonly Finding[]> {
  const { database, events } = store
  const all = await readModelStatus({ pool: database.pool, store: events, projections: readModels })
  if (all.every(({ version }) => version === 0))
    return [warn('read models', 'there are none yet', 'The next server that starts builds them')]
  await refuseOtherReadModels(store)
  const stale = all.filter(({ version, declaredVersion }) => version !== declaredVersion)
  const lag = all.reduce((most, { lag_events_max: each }) => (each > most ? each : most), 0n)
  return [
    ...(stale.length > 0
      ? [
          warn(
            'read models',
            `of another version: ${stale.map(({ name }) => name).join(', ')}`,
            'The next server that starts rebuilds them',
          ),
        ]
      : []),
    ...parkedOf(all),
    lag > lag_events_max
      ? warn('read models', `up to ${lag} events behind`, 'Start a server, or look at the log of the projector')
      : ok('read models', `${all.length} of them, at most ${lag} events behind`),
  ]
}

/** Whether the key of personal data is there, and belongs to the instance. */
function checkKeys({ database, personalDataKey, settings }: HistorySource): Promise<readonly Finding[]> {
  const advice = keyAdvice(settings)
  return checked('keys', advice, async () => {
    const fault = await keyFault(database, personalDataKey, settings)
    if (fault !== undefined) return bad('keys', fault, advice)
    const source = keySource(settings)
    if (!personalDataKey)
      return warn('keys', `there is no ${source} yet, and PERSONAL_DATA_KEY is not set`, 'The next start makes one')
    return (await keyState(database, personalDataKey)) === 'unused'
      ? ok('keys', `no account has a key that ${source} opens yet`)
      : ok('keys', `${source} opens personal data; no backup holds it, so keep a copy elsewhere`)
  })
}
