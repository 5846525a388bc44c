import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { Refused, reject } from '../../../application/commands/refused.ts'
import { openWork } from '../../../application/ports/at-work.ts'
import { trace } from '../../../application/ports/traces.ts'
import type { Outages } from '../../../application/ports/outages.ts'
import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import type { AddressGate } from '../brakes/address-gate.ts'
import type { LateAnswers } from '../brakes/late-answers.ts'
import { describeError } from '../errors/describe-error.ts'
import { failureAnswer } from '../errors/failure-answer.ts'
import type { Answer } from '../answer.ts'
import { crossOriginHeaders, type AllowedOrigins } from './cross-origin.ts'
import type { Exchange, Work } from './exchange.ts'
import { operationLabel, type HttpMetrics } from './http-metrics.ts'
import type { InFlight } from './in-flight.ts'
import type { RefusalPage } from '../pages/refusal-page.ts'
import { discardRest } from './input/read-body.ts'
import { prefersPage } from './input/weighted-list.ts'
import { withFile } from './file-answer.ts'
import type { RequestLine } from './lines/request-line.ts'
import type { LineName, RequestLines } from './lines/request-lines.ts'
import { openExchange, type ExchangeParts } from './open-exchange.ts'
import { ClientTooSlow } from './timed-pieces.ts'

export interface AnsweringParts extends ExchangeParts {
  readonly inFlight: InFlight
  readonly lines: RequestLines
  readonly lateAnswers: LateAnswers
  /** How long a client may take to read an answer. */
  readonly answer_ms_max: number
  /** Whether requests are accepted at all. */
  readonly isServing: () => boolean
  /** Whether each connection is closed after the answer under way. */
  readonly closing: () => boolean
  /** If absent, every address is let in. */
  readonly gate?: AddressGate | undefined
  readonly metrics: HttpMetrics
  readonly logger: Logger
  readonly outages: Outages
  readonly version: string
  /** Whether the log has a line for each request at level info. */
  readonly accessLog: boolean
  /** The origins whose pages may read answers. */
  readonly corsOrigins: AllowedOrigins
  /** Makes the page that a browser shows in place of a refusal. If absent, there is none. */
  readonly refusalPage?: RefusalPage | undefined
}

export interface AnsweringOptions {
  /** The operation's name, for metrics and logs. */
  readonly name: string
  /** Health and metrics are needed most when the server is overloaded. */
  readonly beyondCeiling?: boolean
  /** The monitors of the server ask for health. */
  readonly beyondBans?: boolean
  readonly openToAllOrigins?: boolean
  /** Whether people open such addresses in a browser, which then shows a refusal as a page. */
  readonly openedByPeople?: boolean
  /** Its failures are no reason to ban a network: one wrong setting would ban a store. */
  readonly beyondBrake?: boolean
  /** The line in which requests wait for their turn. If absent, they do not wait. */
  readonly line?: LineName
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Answers requests with what `work` gives, or with what it throws. As an onRequest hook, since Fastify would read bodies
 * before its handlers, and the order of checks wants limits and callers first.
 */
export function answering(parts: AnsweringParts, options: AnsweringOptions, work: Work<Answer>): Hook {
  return async (request, reply) => {
    const began = performance.now()
    const done = parts.inFlight.enter(reply.raw)
    const endWork = openWork(options.name)
    const exchange = openExchange(parts, options.name, request)
    const carried = parts.connections.carry(request.raw.socket, exchange.facts.ip)
    if (carried) reply.raw.once('close', carried)
    const mayCome = options.beyondCeiling === true || (carried !== undefined && parts.isServing())
    const answer = await answerOf(parts, options, exchange, async () => {
      if (!mayCome) return reject('SERVICE_UNAVAILABLE')
      const banned = options.beyondBans ? undefined : parts.gate?.refusalOf(exchange.facts.ip)
      if (options.line && !banned) await takeTurn(parts.lines[options.line], exchange, reply.raw)
      if (!options.beyondCeiling) exchange.share.enter()
      if (banned) throw new Refused(banned)
      return withFile(await work(exchange), request.headers)
    })
    if (answer.refused) parts.metrics.refused(options.name, answer.refused)
    if (!options.beyondBrake) parts.gate?.answered(exchange, answer.status)
    exchange.share.free()
    const worked = performance.now()
    if (answer.status === tooManyRequests && !(await lateTurn(parts, exchange))) request.raw.destroy()
    // What a client was made to wait for is no slow answer.
    const from = began + performance.now() - worked
    const note = (): void => noteAnswered(parts, options, exchange, answer.status, from)
    // A client that has gone closes nothing any more.
    if (reply.raw.destroyed) note()
    else reply.raw.once('close', note)
    setHeaders(reply, parts, options, exchange, answer)
    if (answer.body instanceof Readable)
      answer.body.once('error', (error) => {
        if (!(error instanceof ClientTooSlow)) report(parts, options, exchange, error)
      })
    void reply.code(answer.status).send(answer.body ?? undefined)
    discardRest(request.raw)
    endUnread(reply.raw, parts.answer_ms_max)
    endWork()
    done()
    return reply
  }
}

const tooManyRequests = 429

/** Waits for the turn of a refusal. False if the connection is to be closed instead. */
function lateTurn({ lateAnswers, connections }: AnsweringParts, exchange: Exchange): Promise<boolean> {
  return lateAnswers.turn(senderOf(exchange), !connections.isOfProxy(exchange.raw.socket))
}

/** Who has sent too fast: the account, or everybody at an address who has shown none. */
function senderOf({ accountId, facts }: Exchange): string {
  return accountId ?? networkOf(facts.ip, oneClient)
}

/** Counts and traces an answer, and logs it: at level info if there is an access log, otherwise at debug. */
function noteAnswered(
  { metrics, logger, accessLog }: Pick<AnsweringParts, 'metrics' | 'logger' | 'accessLog'>,
  { name }: AnsweringOptions,
  { facts, accountId }: Exchange,
  status: number,
  began: number,
): void {
  const took_ms = performance.now() - began
  metrics.answered(name, status, took_ms / 1000)
  trace(began, () => ({
    name: operationLabel(name),
    correlationId: facts.id,
    isRequest: true,
    attributes: { 'http.response.status_code': status },
    failed: status >= 500,
  }))
  const level = accessLog ? 'info' : 'debug'
  if (!logger.isLevelEnabled(level)) return
  const about = { requestId: facts.id, operation: operationLabel(name), status }
  logger[level]({ ...about, duration_ms: Math.round(took_ms * 10) / 10, accountId }, 'answered')
}

async function answerOf(
  parts: AnsweringParts,
  options: AnsweringOptions,
  exchange: Exchange,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return inFormFor(parts, options, exchange, await work())
  } catch (error) {
    report(parts, options, exchange, error)
    return inFormFor(parts, options, exchange, failureAnswer(error, exchange.language))
  }
}

/** A refusal as a page, for clients that prefer pages; everything else as it is. */
function inFormFor(
  { refusalPage }: Pick<AnsweringParts, 'refusalPage'>,
  { openedByPeople }: AnsweringOptions,
  { raw, language }: Exchange,
  answer: Answer,
): Answer {
  if (!openedByPeople || !answer.refused || !refusalPage) return answer
  const form = prefersPage(raw.headers.accept) ? refusalPage(answer, language) : answer
  return { ...form, headers: { ...form.headers, vary: 'Accept' } }
}

/** Waits until the request may be worked on. 503 SERVICE_UNAVAILABLE if that takes too long. */
async function takeTurn(line: RequestLine, { share, isKnown }: Exchange, response: ServerResponse): Promise<void> {
  const given = line.enter({ isKnown, isGone: () => response.destroyed })
  const turn = given instanceof Promise ? await given : given
  if (!turn) return reject('SERVICE_UNAVAILABLE')
  share.follow(turn)
}

/** Closes the connection of a client that does not read its answer. */
function endUnread(response: ServerResponse, answer_ms_max: number): void {
  if (response.writableFinished || !response.socket?.writableLength) return
  const timer = setTimeout(() => response.destroy(), answer_ms_max)
  response.once('close', () => {
    clearTimeout(timer)
  })
}

/** Reports an error once, unless it is a plain refusal. An error caused by an outage is reported with the outage. */
function report(
  { logger, outages }: Pick<AnsweringParts, 'logger' | 'outages'>,
  { name: operation }: AnsweringOptions,
  { facts, received }: Exchange,
  error: unknown,
): void {
  if (error instanceof Refused) return
  const about = () => ({ requestId: facts.id, operation, error: describeError(error, received) })
  if (!outages.failed(error, about)) logger.error(about(), 'failed to answer')
}

function setHeaders(
  reply: FastifyReply,
  { version, closing, corsOrigins }: AnsweringParts,
  { openToAllOrigins }: AnsweringOptions,
  { facts, raw }: Exchange,
  { headers, body }: Answer,
): void {
  const crossOrigin = crossOriginHeaders(corsOrigins, raw.headers.origin)
  reply
    .header('x-request-id', facts.echoedId)
    .header('x-service-version', version)
    .header('x-content-type-options', 'nosniff')
    .headers(crossOrigin)
  if (body !== null) reply.header('cache-control', 'no-cache')
  if (openToAllOrigins)
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', 'X-Service-Version')
  if (closing()) reply.header('connection', 'close')
  reply.headers(headers)
  const { vary } = crossOrigin
  if (vary !== undefined && headers['vary'] !== undefined) reply.header('vary', `${vary}, ${headers['vary']}`)
}
