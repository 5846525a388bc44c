import type { Registry } from 'prom-client'
import { countOutages } from '../../adapters/telemetry/open-logger.ts'
import { openMetrics } from '../../adapters/telemetry/open-metrics.ts'
import {
  openDatabase,
  requestAnswer_ms_max,
  requestStandstill_ms_max,
  type PostgresDatabase,
} from '../../adapters/postgres/database.ts'
import { noteInstanceKey } from '../../adapters/personal-data/instance-key.ts'
import { openOutages } from '../../application/health/open-outages.ts'
import type { Outages } from '../../application/ports/outages.ts'
import type { Signals } from '../../application/ports/signals.ts'
import type { ReadModels } from '../../application/ports/read-models.ts'
import { ReadModelsBehind } from '../../application/failures/read-models-behind.ts'
import { unlessAborted } from '../../application/concurrency/pauses.ts'
import { queriesShowing, showingWithin } from '../../application/identity/accounts/shown-accounts.ts'
import type { Limits } from '../../application/ports/limits.ts'
import type { AccountQueries, ShowAccount } from '../../application/ports/queries/account-queries.ts'
import type { Aggregates, AllQueries } from '../../application/ports.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { Changes } from '../../application/caches/cached-changes.ts'
import { openQueries, readModels as allReadModels } from '../../projections/read-models.ts'
import { startProjections, type ProjectionRunner } from '../../projections/runner/runner.ts'
import { watchReadModels } from '../../projections/runner/watcher.ts'
import { untilWhole } from '../../projections/runner/whole.ts'
import type { ClosingList } from '../closing-list.ts'
import type { GuildhallSettings } from '../settings/guildhall-settings.ts'
import { refuseOtherReadModels } from '../read-models-fit.ts'
import { openStore, type Store } from '../store.ts'
import { inProcessCarrier, type Carrier } from './carrier.ts'
import { openFollowingCache, openProjectorCache, type FollowingCache, type ProjectorCache } from './open-cache.ts'
import type { Entered } from './open-register.ts'
import { instanceChanges, keepLimitsFresh, openLimits } from './open-limits.ts'
import { roles as allRoles, type Role } from './role.ts'

/** The parts that every role needs. */
export interface Base extends Entered {
  readonly options: GuildhallSettings
  readonly closings: ClosingList
  /** Called with errors outside requests. An error caused by an outage is counted with the outage. */
  readonly onError: (error: unknown) => void
  readonly outages: Outages
  readonly store: Store
  readonly database: PostgresDatabase
  /** For short statements that requests must not delay. */
  readonly upkeep: PostgresDatabase
  /** With accounts as they are shown. */
  readonly queries: AllQueries
  /** Accounts as they are stored: for code that caches them, and prepares them for display each time. */
  readonly accounts: AccountQueries
  /** Queries that ask Postgres each time, where the position is not known as of which a request must be answered. */
  readonly fresh: AllQueries
  /** Tells the cached queries what position the read models hold; undefined where this process knows by itself. */
  readonly asOf: FollowingCache['asOf'] | undefined
  readonly show: ShowAccount
  readonly limits: Limits
  readonly instance: Aggregates['instance']
  readonly metrics: Registry
  readonly carrier: Carrier
  /** The signals between the processes of the instance; undefined if this one plays every role alone. */
  readonly signals: Signals | undefined
  /** Resolves if NATS answers; undefined if this process needs no NATS. */
  readonly natsAnswers: (() => Promise<unknown>) | undefined
  readonly readModels: ReadModels
  /** Set if this process projects, or stands by to project. */
  readonly projections: ProjectionRunner | undefined
}

/** A process that also projects or works has fewer, so that none has more than 24 (docs/operating.md). */
const requestConnections = {
  besideWork: { connections_max: 6 },
  only: { connections_max: 12 },
} as const
/** To project, and to build; elsewhere to ask how far the projector is. */
const readModelConnections_max = 2
/** For short statements on which other processes rely: busy requests must not delay them. */
const upkeep = { purpose: 'upkeep', connections_max: 2, answer_ms_max: 5000 } as const

/** Opens the stores and the event carrier, and waits until the read models hold all earlier events. */
export async function openBase(options: GuildhallSettings, entered: Entered, closings: ClosingList): Promise<Base> {
  const { register } = entered
  const { settings, connection, personalDataKey, logger, roles = allRoles } = options
  const outages = openOutages({ log: logger })
  countOutages(logger, outages)
  closings.add(async () => outages.close())
  const onError = (error: unknown): void => {
    logger.error({ err: error }, 'a part of the server reported a failure')
  }
  const { eventStoreUrl } = settings
  const store = await openStore({
    connection,
    personalDataKey,
    eventStoreUrl,
    answer_ms_max: requestAnswer_ms_max,
    onError,
    onNotice: (text) => logger.info(text),
  })
  closings.add(() => store.close())
  await noteInstanceKey(store.database, personalDataKey)
  await register.enlist()
  // A process that hung must not write beside the one that has taken over.
  store.guardAppends(() => register.whileHeld())
  await refuseOtherReadModels(store)
  const serving = { hasBegun: false }
  const database = openDatabase(connection, {
    purpose: 'requests',
    onError,
    ...requestConnections[roles.includes('projector') || roles.includes('worker') ? 'besideWork' : 'only'],
    answer_ms_max: requestAnswer_ms_max,
    sharesReads: true,
    // Nobody is served before that, and the leader may use these connections itself.
    onConnect: async (client) => {
      if (serving.hasBegun) await untilWhole(client)
    },
    standstill_ms_max: requestStandstill_ms_max,
  })
  closings.add(() => database.close())
  const upkeepDatabase = openDatabase(connection, { ...upkeep, onError })
  closings.add(() => upkeepDatabase.close())
  const { limits, instance } = openLimits({ options, store })
  const instanceState = instanceChanges(instance)
  const parts = { options, closings, onError, outages, store, database, upkeep: upkeepDatabase, ...entered }
  const way = await openWay(parts, roles)
  const fresh = openQueries(database)
  const held = way.signals ? undefined : openProjectorCache(parts, instanceState)
  const followed = way.signals && roles.includes('api') ? await openFollowed(parts, instanceState) : undefined
  const cached = held ?? followed
  await keepLimitsFresh(parts, cached?.instance ?? instanceState, roles)
  const known = await (roles.includes('projector')
    ? openProjector(parts, way.carrier, held, followed)
    : openWatcher(parts, followed))
  const queries = cached?.queries ?? fresh
  const show = showingWithin(limits)
  const shown = { queries: queriesShowing(show, queries), accounts: queries.accounts, show, limits, instance }
  await caughtUp({ ...parts, ...known })
  serving.hasBegun = true
  const cache = { fresh: held ? shown.queries : queriesShowing(show, fresh), asOf: followed?.asOf }
  return { ...parts, ...shown, ...cache, ...way, ...known, metrics: openMetrics() }
}

type Parts = Pick<Base, 'options' | 'closings' | 'onError' | 'store' | 'database' | 'upkeep'>

async function openWay(
  { options, closings, onError, store, database }: Parts,
  roles: readonly Role[],
): Promise<Pick<Base, 'carrier' | 'signals' | 'natsAnswers'>> {
  const { natsServers: servers } = options.settings
  if (!servers) return { carrier: inProcessCarrier(), signals: undefined, natsAnswers: undefined }
  const name = `guildhall ${roles.join(' ')}`
  // The client is loaded only where the settings name a NATS server (decision 45).
  const { natsCarrier } = await import('./nats-carrier.ts')
  const nats = await natsCarrier({ servers, name, store: store.events, database, closings, onError })
  return { carrier: nats.carrier, signals: nats.signals, natsAnswers: nats.answers }
}

type Known = Pick<Base, 'readModels' | 'projections'>

async function openFollowed({ closings, onError, store, database }: Parts, instance: Changes): Promise<FollowingCache> {
  const followed = await openFollowingCache({ database, events: store.events, onError }, instance)
  closings.add(() => followed.close())
  return followed
}

/** What a cache hears from the read models. */
function toldTo(cached: Pick<ProjectorCache, 'forgetAll'> | undefined, followed: FollowingCache | undefined) {
  return {
    onChange: cached && ((): void => cached.forgetAll()),
    onPosition: followed && ((position: Position): void => followed.asOf({ low: position, high: position })),
  }
}

async function openProjector(
  { options, closings, onError, store, upkeep }: Parts,
  carrier: Carrier,
  held: ProjectorCache | undefined,
  followed: FollowingCache | undefined,
): Promise<Known> {
  const database = openDatabase(options.connection, {
    onError,
    customPlans: true,
    holdsLocks: true,
    // What a crash loses is projected again (decision 62).
    session: { synchronous_commit: 'off' },
    purpose: 'read models',
    connections_max: readModelConnections_max,
  })
  closings.add(() => database.close())
  const { onCommitted, whileLeading } = held ? held.hearing(carrier) : carrier
  const projections = await startProjections({
    pool: database.pool,
    askingPool: upkeep.pool,
    notifier: store.notifier,
    store: store.events,
    projections: allReadModels,
    onCommitted,
    ...(whileLeading && { whileLeading }),
    ...toldTo(followed ?? held, followed),
    onError,
  })
  held?.follow(projections)
  closings.add(() => projections.stop())
  return { readModels: projections, projections }
}

async function openWatcher(
  { options, closings, onError, store }: Parts,
  followed: FollowingCache | undefined,
): Promise<Known> {
  const database = openDatabase(options.connection, {
    purpose: 'read models',
    onError,
    connections_max: readModelConnections_max,
  })
  closings.add(() => database.close())
  const watcher = watchReadModels({
    pool: database.pool,
    notifier: store.notifier,
    projections: allReadModels,
    ...toldTo(followed, followed),
    onError,
  })
  closings.add(async () => watcher.stop())
  return { readModels: watcher, projections: undefined }
}

/**
 * Resolves once the read models hold every event that existed at the start. They may have far to go, and nobody is served yet.
 * Rejects if the process is told to end first.
 */
async function caughtUp({ options, store, readModels }: Pick<Base, 'options' | 'store' | 'readModels'>): Promise<void> {
  const { logger, stopping = new AbortController().signal } = options
  const end = await store.events.end()
  for (;;) {
    try {
      await unlessAborted(readModels.reached(end), stopping)
      stopping.throwIfAborted()
      return
    } catch (error) {
      if (!(error instanceof ReadModelsBehind)) throw error
      logger.info({ position: end.toString() }, 'waiting for the read models to be up to date')
    }
  }
}
