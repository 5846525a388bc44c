import { textOf } from '../answer.ts'
import { createServer, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { fastify, type FastifyInstance } from 'fastify'
import { refusal } from '../../../domain/kernel/refusal.ts'
import { refusalAnswer } from '../errors/failure-answer.ts'
import { answering, type AnsweringParts } from './answering.ts'
import type { HttpBounds } from './bounds.ts'
import { oneAtATime } from './connections/one-at-a-time.ts'
import { fixedBuckets, withinBucket, type RequestLimits } from './fixed-buckets.ts'
import { isAllowedPreflight, preflightAnswer } from './cross-origin.ts'
import { unknownRoute } from './unknown-route.ts'

/** The length of a whole URL is bounded by the limit on headers, 16 KiB. */
const parameter_max = 16_384
const connectionCheck_ms = 1000

/**
 * Fastify as it is used here: for connections, and to find the route of a request. Routing is strict: `/v1/guilds/` is
 * not `/v1/guilds`.
 */
export function newApp(bounds: HttpBounds, parts: AnsweringParts, limits: RequestLimits): FastifyInstance {
  const notFound = unknownRoute(parts, limits)
  const preflight = answering(
    parts,
    { name: 'preflight', beyondBrake: true, line: 'reads' },
    withinBucket(fixedBuckets.preflight, limits, async () => preflightAnswer()),
  )
  const app = fastify({
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
    rewriteUrl: ({ url = '/' }) => withPlainAt(url),
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (_error, request, reply) => void notFound(request, reply),
  })
  // Before Fastify reads a body that nobody asked for.
  app.addHook('onRequest', (request, reply, goOn) => {
    if (isAllowedPreflight(parts.corsOrigins, request.raw.method, request.raw.headers)) void preflight(request, reply)
    else if (request.is404 || hasEmptyParameter(request.params)) void notFound(request, reply)
    else goOn()
  })
  return app
}

/** Otherwise Fastify loads two compilers of JSON schemas at each start. Our own code checks input and output. */
function noSchemas(): never {
  throw new Error('Operations declare schemas of their own, not of Fastify')
}

/**
 * `%40me` is `@me` (RFC 3986, 2.3 and 3.3). `@` is the only character in our paths that routes depend on and clients may
 * encode.
 */
function withPlainAt(url: string): string {
  if (!url.includes('%40')) return url
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  return path.replaceAll('%40', '@') + url.slice(path.length)
}

/** `/v1/guilds/` is another path, not a guild without an id. */
function hasEmptyParameter(params: unknown): boolean {
  if (typeof params !== 'object' || params === null) return false
  for (const name in params) if (Reflect.get(params, name) === '') return true
  return false
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
