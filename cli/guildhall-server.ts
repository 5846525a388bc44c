import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { inProcessRoom } from '../adapters/admission-room/in-process-room.js'
import { inProcessBus } from '../adapters/bus/in-process-bus.js'
import { sessionCredentials } from '../adapters/http/authentication/credential.js'
import { idempotencyOver } from '../adapters/http/idempotency/idempotency.js'
import type { IdempotencyRows } from '../adapters/http/idempotency/idempotency-rows.js'
import { openPostgresIdempotencyRows } from '../adapters/http/idempotency/postgres-rows.js'
import { allowancesOver } from '../adapters/http/limits/allowances.js'
import { memoryRateLimits, type RateLimits } from '../adapters/http/limits/rate-limits.js'
import { allOperations } from '../adapters/http/operations/all-operations.js'
import { clientAddress } from '../adapters/http/server/client-address.js'
import { openHttpServer, type HttpServer } from '../adapters/http/server/open-http-server.js'
import { useCases } from '../adapters/http/use-cases.js'
import { commandOrigins } from '../adapters/ids/command-origins.js'
import { snowflakeGenerator } from '../adapters/ids/snowflake-generator.js'
import { openMetrics } from '../adapters/metrics/open-metrics.js'
import { argon2Passwords } from '../adapters/passwords/argon2-passwords.js'
import { blindIndex } from '../adapters/personal-data/blind-index.js'
import { openDatabase, type PostgresConnection, type PostgresDatabase } from '../adapters/postgres/database.js'
import { cachedSessionTokens, type CachedSessionTokens } from '../application/authentication/session-tokens.js'
import type { EventBus } from '../application/ports/event-bus.js'
import type { Limits } from '../application/ports/limits.js'
import { stockLimits } from '../application/ports/limits.js'
import { ReadModelsBehind } from '../application/ports/read-models.js'
import type { Presence } from '../application/ports/presence.js'
import type { Ports } from '../application/ports.js'
import { openGateway, type Gateway } from '../gateway/gateway.js'
import { processClock } from '../gateway/time/ticker.js'
import { readModels } from '../projections/read-models.js'
import { startProjections, type ProjectionRunner } from '../projections/runner/runner.js'
import { sessionSnapshots } from '../projections/session-snapshots/queries.js'
import { openAggregates } from './aggregates.js'
import { closingList, type ClosingList } from './closing-list.js'
import { observe } from './observe.js'
import { startProcessManagers } from './process-managers.js'
import { productVersion } from './product-version.js'
import { openQueries } from './queries.js'
import type { Settings } from './settings.js'
import { openStore, type Store } from './store.js'

export interface GuildhallSettings {
  readonly settings: Pick<Settings, 'http' | 'publicUrl' | 'serviceName' | 'hosted' | 'trustedProxies' | 'rateLimits'>
  readonly connection: PostgresConnection
  readonly personalDataKey: Uint8Array
  readonly logger: Logger
  /** Holds every reply against its schema: for tests and development. */
  readonly checkReplies?: boolean
  /** For tests; the stock limits otherwise. */
  readonly limits?: Limits
}

/** One process that plays every role: the API, the projector, the Gateway and the worker. */
export interface Guildhall {
  /** Where it serves: `http://host:port`. */
  readonly url: string
  readonly ports: Ports
  readonly store: Store
  readonly projections: ProjectionRunner
  /** Ends gracefully: sends Gateway clients elsewhere, finishes the requests at work, then closes everything. Safe to repeat. */
  close(): Promise<void>
}

/** The only worker of this instance: several need an id each. */
const workerId = 0
const queryConnections_max = 20
const projectionConnections_max = 6

/** Opens everything in the order in which one part needs the other, and listens. */
export async function openGuildhall(options: GuildhallSettings): Promise<Guildhall> {
  const closings = closingList()
  try {
    return await openIn(options, closings)
  } catch (error) {
    await closings.close()
    throw error
  }
}

async function openIn(options: GuildhallSettings, closings: ClosingList): Promise<Guildhall> {
  const { settings, logger } = options
  const base = await openBase(options, closings)
  const gatewaySeam: { gateway?: Gateway } = {}
  let url = settings.publicUrl ?? ''
  const ports = portsOf(options, base, presenceOf(gatewaySeam), () => url)
  const metrics = openMetrics()
  const http = await openHttp(options, base, ports, metrics)
  closings.add(() => http.close())
  const gateway = openGatewayOn(options, base, http, ports)
  closings.add(async () => gateway.close())
  gatewaySeam.gateway = gateway
  observe(metrics, { gateway, projections: base.projections })
  await caughtUp(base)
  const managers = await startProcessManagers(ports, logger)
  closings.add(() => managers.stop())
  closings.add(async () => void (await Promise.all([gateway.drain(), http.drain()])))
  const address = urlOf(settings.http.host, await http.listen(settings.http))
  url = settings.publicUrl ?? address
  return {
    url: address,
    ports,
    store: base.store,
    projections: base.projections,
    close: () => closings.close(),
  }
}

/** Resolves once the read models hold every event that was there: they may have far to go, and nobody is served yet. */
async function caughtUp({ store, projections }: Base): Promise<void> {
  const end = await store.events.end()
  for (;;) {
    try {
      await projections.reached(end)
      return
    } catch (error) {
      if (!(error instanceof ReadModelsBehind)) throw error
    }
  }
}

/** What stands below the use cases. */
interface Base {
  readonly store: Store
  readonly database: PostgresDatabase
  readonly projectionDatabase: PostgresDatabase
  readonly bus: EventBus
  readonly projections: ProjectionRunner
  readonly sessionTokens: CachedSessionTokens
  readonly rateLimits: RateLimits | 'off'
  readonly idempotencyRows: IdempotencyRows
}

async function openBase(
  { settings, connection, personalDataKey, logger }: GuildhallSettings,
  closings: ClosingList,
): Promise<Base> {
  const onError = (error: unknown): void => {
    logger.error({ err: error }, 'a part of the server reported a failure')
  }
  const store = await openStore({ connection, personalDataKey, onError })
  closings.add(() => store.close())
  const database = openDatabase(connection, { onError, connections_max: queryConnections_max })
  closings.add(() => database.close())
  const projectionDatabase = openDatabase(connection, {
    onError,
    customPlans: true,
    connections_max: projectionConnections_max,
  })
  closings.add(() => projectionDatabase.close())
  const bus = inProcessBus()
  const sessionTokens = cachedSessionTokens(openQueries(database).accounts)
  bus.subscribe((events) => {
    for (const event of events) sessionTokens.forget(event)
  })
  const projections = await startProjections({
    pool: projectionDatabase.pool,
    store: store.events,
    projections: readModels,
    onCommitted: (events) => bus.publish(events),
    onError,
  })
  closings.add(() => projections.stop())
  const idempotencyRows = await openPostgresIdempotencyRows({ database, connection, onError })
  closings.add(() => idempotencyRows.close())
  const rateLimits = settings.rateLimits ? memoryRateLimits() : 'off'
  return { store, database, projectionDatabase, bus, projections, sessionTokens, rateLimits, idempotencyRows }
}

function portsOf(
  { settings, personalDataKey, logger, limits }: GuildhallSettings,
  base: Base,
  presence: Presence,
  publicUrl: () => string,
): Ports {
  const { store, database, projections, rateLimits } = base
  return {
    aggregates: openAggregates({
      store: store.events,
      snapshots: store.snapshots,
      onSnapshotFailure: (stream, error) => {
        logger.warn({ err: error, stream }, 'a snapshot could not be written')
      },
    }),
    queries: openQueries(database),
    readModels: projections,
    room: inProcessRoom(),
    limits: limits ?? stockLimits,
    allowances: allowancesOver(rateLimits),
    presence,
    passwords: argon2Passwords(),
    addressHash: blindIndex(personalDataKey),
    instance: {
      serviceName: settings.serviceName,
      version: productVersion,
      hosted: settings.hosted,
      get publicUrl() {
        return publicUrl()
      },
    },
  }
}

function openHttp(
  { settings, personalDataKey, logger, checkReplies }: GuildhallSettings,
  base: Base,
  ports: Ports,
  metrics: Registry,
): Promise<HttpServer> {
  const { sessionTokens, projections, rateLimits, idempotencyRows } = base
  const origins = commandOrigins({ snowflakes: snowflakeGenerator({ workerId }) })
  return openHttpServer({
    operations: allOperations,
    useCases: useCases(ports),
    resolveCredential: sessionCredentials(sessionTokens),
    readModels: projections,
    origins,
    idempotency: idempotencyOver({
      rows: idempotencyRows,
      origins,
      secret: personalDataKey,
      onStoringFailure: (error) => {
        logger.warn({ err: error }, 'the answer to an Idempotency-Key could not be stored')
      },
    }),
    rateLimits,
    // No operation is an Admin one yet, so nothing comes here.
    adminAudit: {
      record: ({ action }) => Promise.reject(new Error(`There is no admin audit log to record ${action} in`)),
    },
    logger,
    metrics,
    version: productVersion,
    trustedProxies: settings.trustedProxies,
    checkReplies: checkReplies ?? false,
  })
}

function openGatewayOn(
  { settings, logger }: GuildhallSettings,
  base: Base,
  { server }: HttpServer,
  ports: Ports,
): Gateway {
  const { bus, sessionTokens, database } = base
  const addressOf = clientAddress(settings.trustedProxies)
  return openGateway({
    server,
    bus,
    sessionTokens,
    snapshots: sessionSnapshots(database),
    accounts: ports.queries.accounts,
    clock: processClock,
    randomBytes,
    log: logger,
    rateLimits: settings.rateLimits,
    clientAddress: ({ socket, headers }) => addressOf(socket.remoteAddress, headers['x-forwarded-for']?.toString()),
  })
}

/** The Gateway stands on the HTTP server, which stands on the use cases, which ask who is present: the circle closes here. */
function presenceOf(seam: { readonly gateway?: Gateway }): Presence {
  return {
    isPresent: async (account) => (await seam.gateway?.presence.isPresent(account)) ?? false,
    onlineCounts: async (guilds) => (await seam.gateway?.presence.onlineCounts(guilds)) ?? new Map(),
  }
}

function urlOf(host: string, { port }: AddressInfo): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
