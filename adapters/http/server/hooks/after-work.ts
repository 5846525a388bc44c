import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { trace } from '../../../../application/observation/traces.ts'
import { networkOf, oneClient } from '../../../../domain/network/network-of.ts'
import { jsonHeaders } from '../../answer.ts'
import { crossOriginHeaders } from '../cross-origin.ts'
import type { Exchange } from '../../request/exchange.ts'
import { operationLabel } from '../http-metrics.ts'
import { discardRest } from '../../request/input/read-body.ts'
import type { HookParts, RequestState } from './request-state.ts'

const tooManyRequests = 429

/**
 * onSend: gives back what the request held, counts its answer, and adds the headers that every answer has. A refusal of a sender
 * that goes on beyond its limits waits for its turn.
 */
export function sending(parts: HookParts): onSendHookHandler {
  return (request, reply, payload, goOn) => {
    const { state } = request
    const send = (): void => {
      setHeaders(parts, request, reply, payload)
      goOn()
      discardRest(request.raw)
      endUnread(reply.raw, parts.answer_ms_max)
    }
    if (state.isAnswered) return send()
    state.isAnswered = true
    if (!state.route.beyondBrake) parts.gate?.answered(state.exchange, reply.statusCode)
    state.exchange.share.free()
    const conclude = (waited_ms: number): void => {
      noteOnceSent(parts, state, reply, waited_ms)
      state.end()
      send()
    }
    if (reply.statusCode !== tooManyRequests) return conclude(0)
    lateTurn(parts, state.exchange).then(conclude).catch(goOn)
  }
}

/** Waits for the turn of a refusal, or closes the connection instead. Gives how long it has waited. */
async function lateTurn({ lateAnswers, connections }: HookParts, exchange: Exchange): Promise<number> {
  const began_ms = performance.now()
  const { raw } = exchange
  if (!(await lateAnswers.turn(senderOf(exchange), !connections.isOfProxy(raw.socket)))) raw.destroy()
  return performance.now() - began_ms
}

/** Who has sent too fast: the account, or everybody at an address who has shown none. */
function senderOf({ accountId, facts }: Exchange): string {
  return accountId ?? networkOf(facts.ip, oneClient)
}

/** What a client was made to wait for is no slow answer. */
function noteOnceSent(parts: HookParts, state: RequestState, { raw }: FastifyReply, waited_ms: number): void {
  const note = (): void => noteAnswered(parts, state, raw.statusCode, state.began_ms + waited_ms)
  // A client that has gone closes nothing any more.
  if (raw.destroyed) note()
  else raw.once('close', note)
}

/** Counts and traces an answer, and logs it: at level info if there is an access log, otherwise at debug. */
function noteAnswered(
  { metrics, logger, accessLog }: Pick<HookParts, 'metrics' | 'logger' | 'accessLog'>,
  { route: { name }, exchange: { facts, accountId } }: RequestState,
  status: number,
  began_ms: number,
): void {
  const took_ms = performance.now() - began_ms
  metrics.answered(name, status, took_ms / 1000)
  trace(began_ms, () => ({
    name: operationLabel(name),
    correlationId: facts.id,
    isRequest: true,
    attributes: {
      'http.response.status_code': status,
      ...(facts.clientRequestId === undefined ? {} : { 'guildhall.client_request_id': facts.clientRequestId }),
    },
    failed: status >= 500,
  }))
  const level = accessLog ? 'info' : 'debug'
  if (!logger.isLevelEnabled(level)) return
  const { id: requestId, clientRequestId } = facts
  const about = { requestId, clientRequestId, operation: operationLabel(name), status }
  logger[level]({ ...about, duration_ms: Math.round(took_ms * 10) / 10, accountId }, 'answered')
}

const fastifyJson = 'application/json; charset=utf-8'

/** The headers of every answer. Those that the answer has itself stay. */
function setHeaders(
  { version, closing, corsOrigins }: HookParts,
  { state: { route, exchange }, headers }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): void {
  const { vary, ...crossOrigin } = crossOriginHeaders(corsOrigins, headers.origin)
  reply
    .header('x-request-id', exchange.facts.echoedId)
    .header('x-service-version', version)
    .header('x-content-type-options', 'nosniff')
    .headers(crossOrigin)
  // Fastify names a charset, which JSON has not (RFC 8259, 11). Some clients compare the whole type.
  if (reply.getHeader('content-type') === fastifyJson) reply.headers(jsonHeaders)
  if (payload !== undefined && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache')
  if (route.openToAllOrigins)
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', 'X-Service-Version')
  if (vary !== undefined) reply.header('vary', [vary, reply.getHeader('vary') ?? []].flat().join(', '))
  if (closing()) reply.header('connection', 'close')
}

/** Closes the connection of a client that does not read its answer. */
function endUnread(response: ServerResponse, answer_ms_max: number): void {
  if (response.writableFinished || !response.socket?.writableLength) return
  const timer = setTimeout(() => response.destroy(), answer_ms_max)
  response.once('close', () => {
    clearTimeout(timer)
  })
}
