import { textOf } from '../answer.ts'
import { createServer, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { fastify, type FastifyInstance } from 'fastify'
import { reject } from '../../../application/commands/refused.ts'
import { refusal } from '../../../domain/kernel/refusal.ts'
import { refusalAnswer } from '../errors/failure-answer.ts'
import type { HttpBounds } from './bounds.ts'
import { oneAtATime } from './connections/one-at-a-time.ts'
import { fixedBuckets, withinBucket, type RequestLimits } from './fixed-buckets.ts'
import { preflightAnswer } from './cross-origin.ts'
import { sending } from './hooks/after-work.ts'
import { routedUrls } from './routed-urls.ts'
import { answering, answeringErrors } from './hooks/answering.ts'
import { admitting, opening, withoutRoute } from './hooks/before-work.ts'
import type { HookParts, RouteConfig } from './hooks/request-state.ts'

/** The length of a whole URL is bounded by the limit on headers, 16 KiB. */
const parameter_max = 16_384
const connectionCheck_ms = 1000

/** What stands for the route of a request that has none. */
export const noRoute: RouteConfig = { name: 'not found', queue: 'reads', openedByPeople: true }
const preflight: RouteConfig = { name: 'preflight', beyondBrake: true, queue: 'reads' }
/** A path that no route has. */
const nowhere = '//'

/**
 * Fastify with the hooks of every request, without its routes. Paths of `clientVersions` are those of version 1. Routing is
 * strict: `/v1/guilds/` is not `/v1/guilds`. What has no route is answered with 404 NOT_FOUND, within a bucket of the asker's
 * address.
 */
export function newApp(
  bounds: HttpBounds,
  parts: HookParts,
  limits: RequestLimits,
  clientVersions: readonly string[] = [],
): FastifyInstance {
  const routed = routedUrls(clientVersions)
  const app: FastifyInstance = fastify({
    requestTimeout: bounds.request_ms_max,
    keepAliveTimeout: bounds.idle_ms_max,
    serverFactory: (handle) =>
      createServer(
        {
          headersTimeout: bounds.headers_ms_max,
          connectionsCheckingInterval: connectionCheck_ms,
          requestTimeout: bounds.request_ms_max,
          keepAliveTimeout: bounds.idle_ms_max,
        },
        oneAtATime(refusingTwoHosts(handle), { onTooMany: (socket) => parts.connections.shut(socket) }),
      ),
    forceCloseConnections: true,
    // Fastify's own HEAD routes replace the length that an answer states.
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: { maxParamLength: parameter_max },
    rewriteUrl: ({ url = '/' }) => routed(url),
    clientErrorHandler: answerBrokenRequest,
    // A path that can't be decoded is one that does not exist.
    frameworkErrors: (_error, { raw }, reply) => app.routing(Object.assign(raw, { url: nowhere }), reply.raw),
  })
  // Handlers read bodies themselves, after what must be checked first: Fastify would read them before.
  for (const method of app.supportedMethods) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  app.decorateRequest('state')
  app.addHook('onRequest', opening(parts, noRoute))
  app.addHook('onRequest', admitting(parts))
  app.addHook('preHandler', withoutRoute(noRoute))
  app.addHook('onSend', sending(parts))
  app.setErrorHandler(answeringErrors(parts))
  const notFound = withinBucket(fixedBuckets.unknown, limits, async () => reject('NOT_FOUND'))
  app.setNotFoundHandler(answering(parts, notFound))
  const preflightWork = withinBucket(fixedBuckets.preflight, limits, async () => preflightAnswer())
  app.options('*', { config: preflight }, answering(parts, preflightWork))
  return app
}

/** Otherwise Fastify loads two compilers of JSON schemas at each start. Our own code checks input and output. */
function noSchemas(): never {
  throw new Error('Operations declare schemas of their own, not of Fastify')
}

/** Which of two hosts counts, a proxy before this server may decide otherwise: it is no HTTP (RFC 9112, 3.2). */
function refusingTwoHosts(handle: RequestListener): RequestListener {
  return (request, response) => {
    const names = request.rawHeaders.filter((_, index) => index % 2 === 0)
    if (names.filter((name) => name.toLowerCase() === 'host').length < 2) handle(request, response)
    else answerBrokenRequest(new Error('two hosts'), request.socket)
  }
}

/** Answers input that is not HTTP, or did not arrive in time, and closes the connection. */
function answerBrokenRequest(_error: Error, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = textOf(refusalAnswer(refusal('BAD_REQUEST'), 'en')) ?? ''
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
