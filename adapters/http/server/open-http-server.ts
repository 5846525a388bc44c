import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { keyedQueue } from '../../../application/commands/keyed-queue.js'
import type { ContentFilter } from '../../../application/blocklists/content-filter.js'
import type { CommandOrigins } from '../../../application/ports/command-origins.js'
import type { AdminAudit } from '../../../application/ports/admin-audit.js'
import type { ReadModels } from '../../../application/ports/read-models.js'
import type { AddressGate } from '../brakes/address-gate.js'
import type { ResolveCredential } from '../authentication/credential.js'
import type { Idempotency } from '../idempotency/idempotency.js'
import type { RateLimits } from '../limits/rate-limits.js'
import { requestLimits } from '../limits/request-limits.js'
import type { MediaSource } from '../media/media-answer.js'
import { withDocuments } from '../openapi/document-operation.js'
import type { Operation } from '../operation.js'
import type { UseCases } from '../use-cases/use-cases.js'
import type { AnsweringParts } from './answering.js'
import { httpBounds, type HttpBounds } from './bounds.js'
import { clientAddress } from './client-address.js'
import { httpMetrics } from './http-metrics.js'
import { inFlight } from './in-flight.js'
import { newApp } from './new-app.js'
import { pipeline } from './pipeline.js'
import { bodyRooms } from './input/read-body.js'
import { addRoutes, type OperationWork, type RouteParts } from './routes.js'

/** What every process that listens needs. */
export interface ServerSettings {
  readonly logger: Logger
  /** Where the server adds its metrics, and what /_metrics shows. */
  readonly metrics: Registry
  readonly version: string
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[]
  /** Lets every address in where it is left out. */
  readonly gate?: AddressGate
  /** Whether requests can be served yet; until then they get 503. */
  readonly isReady?: () => boolean
  readonly bounds?: Partial<HttpBounds>
}

export interface HttpServerSettings extends ServerSettings {
  readonly operations: readonly Operation[]
  readonly useCases: UseCases
  readonly resolveCredential: ResolveCredential
  /** Whether local ways to sign in are closed. */
  readonly isSingleSignOnEnforced: () => Promise<boolean>
  readonly readModels: ReadModels
  readonly origins: CommandOrigins
  readonly idempotency: Idempotency
  /** `off` lifts every bucket (supplement, RATE_LIMITS). */
  readonly rateLimits: RateLimits | 'off'
  readonly adminAudit: AdminAudit
  /** Whether an operator has still to set the instance up; never where nothing is said. */
  readonly isBeingSetUp?: () => Promise<boolean>
  readonly contentFilter: Pick<ContentFilter, 'blocks'>
  /** Where images are read. */
  readonly media?: MediaSource | undefined
  /** Holds every reply against its schema: for tests and development. */
  readonly checkReplies?: boolean
}

export interface HttpServer {
  /** The Gateway takes the upgrades of this one. */
  readonly server: Server
  /** Port 0 is any that is free. */
  listen(address: { readonly host: string; readonly port: number }): Promise<AddressInfo>
  /**
   * Takes no more requests: they get 503, and so does the question for health. Resolves once those at work are answered, or
   * after `drain_ms_max`; says whether all were.
   */
  drain(): Promise<boolean>
  /** Stops listening and ends every connection, upgraded ones included. */
  close(): Promise<void>
}

/** Serves operations over HTTP, with their document, its page, health and metrics. */
export function openHttpServer(settings: HttpServerSettings): Promise<HttpServer> {
  return openServer(settings, { operations: worksOf(settings), hasDocs: true, media: settings.media })
}

/** Serves health and metrics alone: for a process whose work is something else. */
export function openStatusServer(settings: ServerSettings): Promise<HttpServer> {
  return openServer(settings, { operations: [], hasDocs: false })
}

async function openServer(
  settings: ServerSettings,
  served: Pick<RouteParts, 'operations' | 'hasDocs' | 'media'>,
): Promise<HttpServer> {
  const bounds = { ...httpBounds, ...settings.bounds }
  const requests = inFlight()
  let draining = false
  const isServing = (): boolean => !draining && (settings.isReady?.() ?? true)
  const parts: AnsweringParts = {
    inFlight: requests,
    takesMore: () => isServing() && requests.count <= bounds.inFlight_max,
    closing: () => draining,
    addressOf: clientAddress(settings.trustedProxies ?? []),
    gate: settings.gate,
    bodyRoom: bodyRooms(),
    metrics: httpMetrics(settings.metrics, () => requests.count),
    logger: settings.logger,
    version: settings.version,
  }
  const app = newApp(bounds, parts)
  const sockets = openSockets(app.server)
  addRoutes(app, parts, { ...served, metrics: settings.metrics, isServing })
  await app.ready()
  return {
    server: app.server,
    async listen({ host, port }) {
      await app.listen({ host, port })
      return listeningAddress(app.server)
    },
    drain() {
      draining = true
      return requests.ended(bounds.drain_ms_max)
    },
    async close() {
      draining = true
      for (const socket of sockets) socket.destroy()
      await app.close()
    },
  }
}

/** What each operation does with its requests. */
function worksOf(settings: HttpServerSettings): readonly OperationWork[] {
  const limits = requestLimits(settings.rateLimits)
  const parts = { ...settings, limits, imageTurns: keyedQueue(), checkReplies: settings.checkReplies ?? false }
  return withDocuments(settings.operations, settings.version).map((operation) => ({
    operation,
    work: pipeline(operation, parts),
  }))
}

/** The connections that are open, those that were upgraded among them. */
function openSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}

function listeningAddress(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return address
}
