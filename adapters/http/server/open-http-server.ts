import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { keyedQueue } from '../../../application/commands/keyed-queue.ts'
import { addressList } from '../../../application/content-rules/address-list.ts'
import { openOutages } from '../../../application/health/open-outages.ts'
import type { ContentFilter } from '../../../application/content-rules/content-filter.ts'
import type { OpenDryRun } from '../../../application/dry-runs/dry-run.ts'
import type { Ports } from '../../../application/ports.ts'
import type { CommandOrigins } from '../../../application/ports/command-origins.ts'
import type { AdminAudit } from '../../../application/ports/admin-audit.ts'
import type { Outages } from '../../../application/ports/outages.ts'
import type { ReadyState } from '../../../application/ports/readiness.ts'
import type { ReadModels } from '../../../application/ports/read-models.ts'
import type { Answer } from '../answer.ts'
import type { AddressGate } from '../brakes/address-gate.ts'
import { lateAnswers } from '../brakes/late-answers.ts'
import type { ResolveCredential } from '../authentication/credential.ts'
import type { Idempotency } from '../idempotency/idempotency.ts'
import { costsOf, type Cost, type Costs, type Payer } from '../limits/costs.ts'
import { memoryRateLimits, type RateLimits } from '../limits/rate-limits.ts'
import { requestLimits } from '../limits/request-limits.ts'
import type { OpenDownload } from '../../../application/identity/archives/download-links.ts'
import { fileSlots } from './file-slots.ts'
import type { Documents } from '../openapi/built-files.ts'
import { withDocuments } from '../openapi/document-operation.ts'
import type { Operation } from '../operation.ts'
import { consoleOperations } from '../operations/apps/console.ts'
import type { ConsoleFiles } from '../console/console-files.ts'
import { consoleRoutes } from '../console/console-routes.ts'
import type { Work } from '../request/exchange.ts'
import { heldBytes, httpBounds, uploadBounds, type HttpBounds } from './bounds.ts'
import { addressOf } from './address-of.ts'
import type { AllowedOrigins } from './cross-origin.ts'
import { connectionBounds } from './connections/connection-bounds.ts'
import { connectionsWithin, type Connections } from './connections/connections.ts'
import { httpMetrics } from './http-metrics.ts'
import type { HookParts } from './hooks/request-state.ts'
import { inFlight } from './in-flight.ts'
import { requestQueues } from '../request/queues/request-queues.ts'
import { pageRoutes } from '../pages/page-routes.ts'
import { refusalPage, type RefusalPage } from '../pages/refusal-page.ts'
import { metricsPage } from './metrics-page.ts'
import { newApp } from './new-app.ts'
import { withCheckedRefusals } from './check-refusal.ts'
import { pipeline } from './pipeline.ts'
import { addRoutes, worksByName, type OperationWork, type RouteParts, type ServedMedia } from './routes.ts'
import { knownCredentials } from '../request/shares/known-credentials.ts'
import { requestShares, type RequestShares } from '../request/shares/request-share.ts'
import { sharesWithin, type ShareBounds } from '../request/shares/shares.ts'
import { sudoChecks } from './sudo-mode.ts'

/** The settings of every process that listens. */
export interface ServerSettings {
  readonly logger: Logger
  /** Counts requests that fail because a dependency is unavailable. If absent, the server counts its own alone. */
  readonly outages?: Outages
  /** The registry that the server adds its metrics to, and that /_metrics shows. */
  readonly metrics: Registry
  readonly version: string
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  readonly trustedProxies?: readonly string[]
  /** Origins whose pages may read answers, or `*`. If absent, none. */
  readonly corsOrigins?: AllowedOrigins
  /** Versions in paths that are answered as version 1; none if absent. */
  readonly clientVersions?: readonly string[]
  /** If absent, every address is let in. */
  readonly gate?: AddressGate
  /** The state that /_ready reports. If absent, the process is ready while it serves. */
  readonly readyState?: () => ReadyState
  /** Whether requests can be served yet; until then they get 503. */
  readonly isReady?: () => boolean
  readonly bounds?: Partial<HttpBounds>
  /** `off` disables every bucket, and the limits on what one address or identity may hold. */
  readonly rateLimits?: RateLimits | 'off'
  /** The Bearer token that /_metrics requires. If absent, none is required. */
  readonly metricsToken?: string | undefined
  /** Whether the log has a line for each request at level info. If absent, it has none. */
  readonly accessLog?: boolean | undefined
}

export interface HttpServerSettings extends ServerSettings {
  readonly operations: readonly Operation[]
  /** The ports of the operations' use cases. */
  readonly ports: Ports
  readonly resolveCredential: ResolveCredential
  /** Whether local ways to sign in are closed. */
  readonly isSingleSignOnEnforced: () => Promise<boolean>
  readonly readModels: ReadModels
  readonly origins: CommandOrigins
  readonly openDryRun: OpenDryRun
  readonly idempotency: Idempotency
  readonly rateLimits: RateLimits | 'off'
  readonly adminAudit: AdminAudit
  /** Whether an operator still has to set the instance up. If absent, never. */
  readonly isBeingSetUp?: () => Promise<boolean>
  readonly contentFilter: Pick<ContentFilter, 'blocks'>
  /** The sources of images and attachments. */
  readonly media?: ServedMedia | undefined
  /**
   * The documents that the build wrote. If absent, those of HTTP are made of the operations, as for a test that has its own, and
   * there is no reference of the Gateway.
   */
  readonly documents?: Documents | undefined
  /** Of a process that caches what others change: requests that ask no bucket wait for it, to learn as of when they are answered. */
  readonly onUnlimited?: (() => Promise<void>) | undefined
  /** The files of the console. If absent, there is no console. */
  readonly consoleFiles?: ConsoleFiles | undefined
  /** Opens what links to archives name. */
  readonly openArchive?: OpenDownload | undefined
  /** Checks every reply against its schema: for tests and development. */
  readonly checkReplies?: boolean
}

export interface HttpServer {
  /** The Gateway takes the upgrades of this server. */
  readonly server: Server
  /** Port 0 picks a free port. */
  listen(address: { readonly host: string; readonly port: number }): Promise<AddressInfo>
  /**
   * Accepts no more requests: they get 503, and so does the health check. Resolves once those at work are answered, or after
   * `drain_ms_max`. Gives whether all were.
   */
  drain(): Promise<boolean>
  /** Stops listening and closes every connection, including upgraded ones. */
  close(): Promise<void>
}

/**
 * The most connections that wait to be accepted, if the system allows this many. A client that finds no space tries again after
 * a second.
 */
const backlog_max = 4096

/** Serves operations over HTTP, with their API document, its page, health and metrics. */
export function openHttpServer(settings: HttpServerSettings): Promise<HttpServer> {
  const costs = costsWithin(settings)
  const draining = new AbortController()
  const opened = worksOf(settings, costs, draining.signal)
  const operations = opened(withDocuments(settings.operations, settings.version, settings.documents))
  const works = worksByName(operations)
  return openServer(settings, {
    operations,
    pages: pageRoutes(settings.ports, works),
    console: consoleRoutes(settings.ports, worksByName(opened(consoleOperations)), settings.consoleFiles),
    hasDocs: true,
    documents: settings.documents,
    media: settings.media,
    openArchive: settings.openArchive,
    refusalPage: refusalPage(settings.ports),
    costs,
    draining,
  })
}

/** Serves health and metrics alone: for a process that has other work. */
export function openStatusServer(settings: ServerSettings): Promise<HttpServer> {
  return openServer(settings, { operations: [], hasDocs: false, draining: new AbortController() })
}

async function openServer(
  settings: ServerSettings,
  served: Pick<RouteParts, 'operations' | 'pages' | 'console' | 'hasDocs' | 'documents' | 'media' | 'openArchive'> & {
    readonly costs?: Costs | undefined
    /** Aborted once the server accepts no more requests. */
    readonly draining: AbortController
    readonly refusalPage?: RefusalPage
  },
): Promise<HttpServer> {
  const bounds = { ...httpBounds, ...settings.bounds }
  const shares = sharesOf(bounds, settings)
  const { draining } = served
  const isServing = (): boolean => !draining.signal.aborted && (settings.isReady?.() ?? true)
  const connections = connectionsOf(bounds, settings)
  const outages = settings.outages ?? openOutages({ log: settings.logger })
  const parts: HookParts = {
    inFlight: inFlight(),
    queues: requestQueues(bounds.queue, settings.metrics, (line) => outages.count('requests', () => ({ line }))),
    lateAnswers: lateAnswers(draining.signal),
    shares,
    connections,
    known: knownCredentials(),
    isServing,
    closing: () => draining.signal.aborted,
    answer_ms_max: bounds.answer_ms_max,
    addressOf: addressOf(settings),
    gate: settings.gate,
    metrics: httpMetrics(settings.metrics, {
      atWork: () => shares.atWork,
      open: () => parts.inFlight.count,
      connections: () => connections.count,
    }),
    outages,
    ...saidOf(settings),
    refusalPage: served.refusalPage,
  }
  const fixed = fixedParts(settings)
  const app = newApp(bounds, parts, fixed.limits, settings.clientVersions)
  connections.keep(app.server)
  const readyState = settings.readyState ?? ((): ReadyState => ({ ready: isServing(), missing: [], without: [] }))
  addRoutes(app, parts, { ...served, ...fixed, isServing, readyState })
  await app.ready()
  return {
    server: app.server,
    async listen(address) {
      await app.listen({ ...address, backlog: backlog_max })
      return listeningAddress(app.server)
    },
    drain() {
      draining.abort()
      return parts.inFlight.ended(bounds.drain_ms_max)
    },
    async close() {
      draining.abort()
      parts.queues.close()
      connections.close()
      await app.close()
      await served.costs?.close()
    },
  }
}

/** What answers and the log say. */
function saidOf({ logger, version, accessLog, corsOrigins }: ServerSettings) {
  return { logger, version, accessLog: accessLog ?? false, corsOrigins: corsOrigins ?? [] }
}

/** Gives each of some operations its work. */
function worksOf(
  settings: HttpServerSettings,
  costs: Costs | undefined,
  draining: AbortSignal,
): (operations: readonly Operation[]) => readonly OperationWork[] {
  const parts = {
    ...settings,
    sudoChecks: sudoChecks(settings.ports),
    limits: requestLimits(settings.rateLimits, Date.now, costs, settings.onUnlimited),
    resolvesTwice: settings.onUnlimited !== undefined,
    charge: (payer: Payer, cost: Cost) => costs?.charge(payer, cost),
    imageTurns: keyedQueue(),
    uploads: sharesWithin(ofEach(settings, uploadBounds)),
    checkReplies: settings.checkReplies ?? false,
    draining,
  }
  const work = (operation: Operation): Work<Answer> =>
    parts.checkReplies ? withCheckedRefusals(operation, pipeline(operation, parts)) : pipeline(operation, parts)
  return (operations) => operations.map((operation) => ({ operation, work: work(operation) }))
}

function costsWithin({ rateLimits, logger }: HttpServerSettings): Costs | undefined {
  if (rateLimits === 'off') return undefined
  const onError = (error: unknown): void => {
    logger.warn({ err: error }, 'request costs could not be shared with other processes')
  }
  const { chargeTogether } = rateLimits
  return costsOf({ onError, ...(chargeTogether && { chargeTogether }) })
}

function sharesOf(bounds: HttpBounds, settings: ServerSettings): RequestShares {
  const slots = {
    all_max: bounds.inFlight_max,
    strangers_max: bounds.inFlightOfStrangers_max,
    address_max: bounds.inFlightOfAddress_max,
    identity_max: bounds.inFlightOfIdentity_max,
  }
  return requestShares({ slots: ofEach(settings, slots), bytes: ofEach(settings, heldBytes) })
}

/** A load test runs from a single address. */
function ofEach({ rateLimits }: ServerSettings, bounds: ShareBounds): ShareBounds {
  return rateLimits === 'off' ? { ...bounds, address_max: Infinity, identity_max: Infinity } : bounds
}

function connectionsOf(bounds: HttpBounds, { rateLimits, trustedProxies = [] }: ServerSettings): Connections {
  const own = connectionBounds()
  const address_max = bounds.connectionsOfAddress_max ?? own.address_max
  return connectionsWithin({
    all_max: bounds.connections_max ?? own.all_max,
    address_max: rateLimits === 'off' ? Infinity : address_max,
    isProxy: addressList(trustedProxies),
  })
}

/** What is served to everybody and is no operation has limits of this process. */
function fixedParts(settings: ServerSettings): Pick<RouteParts, 'limits' | 'metrics' | 'slots'> {
  const { metrics, metricsToken, rateLimits } = settings
  const limits = requestLimits(rateLimits === 'off' ? 'off' : memoryRateLimits())
  return {
    limits,
    metrics: metricsPage({ registry: metrics, token: metricsToken, limits }),
    slots: fileSlots((bounds) => ofEach(settings, bounds)),
  }
}

function listeningAddress(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return address
}
