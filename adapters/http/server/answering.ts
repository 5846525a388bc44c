import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { Refused, reject } from '../../../application/commands/refused.js'
import { Unavailable } from '../../../application/ports/unavailable.js'
import type { AddressGate } from '../brakes/address-gate.js'
import { describeError } from '../errors/describe-error.js'
import { failureAnswer } from '../errors/failure-answer.js'
import type { Answer } from './answer.js'
import type { ClientAddress } from './client-address.js'
import type { Exchange, Work } from './exchange.js'
import type { HttpMetrics } from './http-metrics.js'
import type { InFlight } from './in-flight.js'
import { discardRest, type BodyRoom } from './input/read-body.js'
import { requestFacts } from './request-facts.js'

export interface AnsweringParts {
  readonly inFlight: InFlight
  /** Whether one more request can be taken. */
  readonly takesMore: () => boolean
  /** Whether connections end with the answer that is being given. */
  readonly closing: () => boolean
  readonly addressOf: ClientAddress
  /** Absent where every address is let in. */
  readonly gate?: AddressGate | undefined
  readonly bodyRoom: () => BodyRoom
  readonly metrics: HttpMetrics
  readonly logger: Logger
  readonly version: string
}

export interface AnsweringOptions {
  /** The operation's name, for metrics and logs. */
  readonly name: string
  /** Health and metrics are asked for above all when there is too much to do (reference identity 2.1). */
  readonly beyondCeiling?: boolean
  readonly openToAllOrigins?: boolean
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Answers requests with what `work` gives, or with what it throws. As an onRequest hook, since Fastify would read bodies
 * before its handlers, and the order of checks wants limits and access first.
 */
export function answering(parts: AnsweringParts, options: AnsweringOptions, work: Work<Answer>): Hook {
  return async (request, reply) => {
    const began = performance.now()
    const done = parts.inFlight.enter(reply.raw)
    const exchange = exchangeOf(parts, request)
    const answer = await answerOf(parts, options, work, exchange)
    parts.gate?.answered(exchange, answer.status)
    reply.raw.once('close', () =>
      parts.metrics.answered(options.name, answer.status, (performance.now() - began) / 1000),
    )
    if (parts.logger.isLevelEnabled('debug'))
      parts.logger.debug({ requestId: exchange.facts.id, operation: options.name, status: answer.status }, 'answered')
    setHeaders(reply, parts, options, exchange, answer)
    void reply.code(answer.status).send(answer.body ?? undefined)
    exchange.room.free()
    discardRest(request.raw)
    done()
    return reply
  }
}

function exchangeOf({ addressOf, bodyRoom }: AnsweringParts, { raw, params }: FastifyRequest): Exchange {
  const [path = '', ...search] = (raw.url ?? '').split('?')
  const facts = requestFacts(raw, addressOf)
  const { authorization, idempotencyKey } = facts
  const received = [authorization, authorization?.split(' ').at(-1), idempotencyKey, params]
  const sender = 'not asked'
  return { raw, facts, params, path, search: search.join('?'), room: bodyRoom(), received, sender }
}

async function answerOf(
  parts: AnsweringParts,
  options: AnsweringOptions,
  work: Work<Answer>,
  exchange: Exchange,
): Promise<Answer> {
  try {
    if (!options.beyondCeiling) requireAdmission(parts, exchange)
    return await work(exchange)
  } catch (error) {
    report(parts.logger, options, exchange, error)
    return failureAnswer(error)
  }
}

/** The in-flight ceiling, then the bans of networks (supplement, Order of checks). */
function requireAdmission({ takesMore, gate }: AnsweringParts, { facts }: Exchange): void {
  if (!takesMore()) reject('SERVICE_UNAVAILABLE')
  const refusal = gate?.refusalOf(facts.ip)
  if (refusal) throw new Refused(refusal)
}

/** Says once what went wrong, where it was not simply refused. */
function report(
  logger: Logger,
  { name: operation }: AnsweringOptions,
  { facts, received }: Exchange,
  error: unknown,
): void {
  if (error instanceof Refused) return
  const entry = { requestId: facts.id, operation, error: describeError(error, received) }
  if (error instanceof Unavailable) logger.warn(entry, 'could not answer for now')
  else logger.error(entry, 'failed to answer')
}

function setHeaders(
  reply: FastifyReply,
  { version, closing }: AnsweringParts,
  { openToAllOrigins }: AnsweringOptions,
  { facts }: Exchange,
  { headers, body }: Answer,
): void {
  reply
    .header('x-request-id', facts.echoedId)
    .header('x-service-version', version)
    .header('x-content-type-options', 'nosniff')
  if (body !== null) reply.header('cache-control', 'no-cache')
  if (openToAllOrigins)
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', 'X-Service-Version')
  if (closing()) reply.header('connection', 'close')
  reply.headers(headers)
}
