import type { ServerResponse } from 'node:http'
import type { FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler, preHandlerHookHandler } from 'fastify'
import { Refused, reject } from '../../../../application/commands/refused.ts'
import { openWork } from '../../../../application/observation/at-work.ts'
import { isAllowedPreflight, type AllowedOrigins } from '../cross-origin.ts'
import type { Exchange } from '../../request/exchange.ts'
import type { RequestQueue } from '../../request/queues/request-queue.ts'
import { openExchange } from '../open-exchange.ts'
import type { HookParts, RouteConfig } from './request-state.ts'

/** onRequest, first: counts the request as open, and opens its exchange. `noRoute` stands for the route where there is none. */
export function opening(parts: HookParts, noRoute: RouteConfig): onRequestHookHandler {
  return (request, reply, goOn) => {
    const began_ms = performance.now()
    const route = isUnknown(request, parts.corsOrigins) ? noRoute : request.routeOptions.config
    const leave = parts.inFlight.enter(reply.raw)
    const endWork = openWork(route.name)
    const end = (): void => {
      endWork()
      leave()
    }
    request.state = { route, exchange: openExchange(parts, route.name, request), began_ms, isAnswered: false, end }
    goOn()
  }
}

/**
 * Whether the router found no route, or one that is none: `/v1/guilds/` is another path, not a guild without an id, and OPTIONS is
 * there for preflights of allowed origins alone.
 */
function isUnknown({ is404, params, method, headers }: FastifyRequest, corsOrigins: AllowedOrigins): boolean {
  if (is404 || hasEmptyParameter(params)) return true
  return method === 'OPTIONS' && !isAllowedPreflight(corsOrigins, method, headers)
}

function hasEmptyParameter(params: unknown): boolean {
  if (typeof params !== 'object' || params === null) return false
  for (const name in params) if (Reflect.get(params, name) === '') return true
  return false
}

/**
 * onRequest, second: lets a request in, before anything is asked about it. Refuses with SERVICE_UNAVAILABLE while the server does
 * not serve, has no slot for it, or lets it wait too long for its turn; and banned networks, in the slot of a request.
 */
export function admitting(parts: HookParts): onRequestAsyncHookHandler {
  return async ({ raw, state: { route, exchange } }, reply) => {
    const carried = parts.connections.carry(raw.socket, exchange.facts.ip)
    if (carried) reply.raw.once('close', carried)
    const mayCome = route.beyondCeiling === true || (carried !== undefined && parts.isServing())
    if (!mayCome) return reject('SERVICE_UNAVAILABLE')
    const banned = route.beyondBans ? undefined : parts.gate?.refusalOf(exchange.facts.ip)
    if (route.queue && !banned) await takeTurn(parts.queues[route.queue], exchange, reply.raw)
    if (!route.beyondCeiling) exchange.share.enter()
    if (banned) throw new Refused(banned)
  }
}

/** Waits until the request may be worked on. 503 SERVICE_UNAVAILABLE if that takes too long. */
async function takeTurn(queue: RequestQueue, { share, isKnown }: Exchange, response: ServerResponse): Promise<void> {
  const given = queue.enter({ isKnown, isGone: () => response.destroyed })
  const turn = given instanceof Promise ? await given : given
  if (!turn) return reject('SERVICE_UNAVAILABLE')
  share.follow(turn)
}

/** preHandler: gives a request without a route to the handler of those. */
export function withoutRoute(noRoute: RouteConfig): preHandlerHookHandler {
  return (request, reply, goOn) => {
    if (request.state.route === noRoute && !request.is404) reply.callNotFound()
    else goOn()
  }
}
