import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from '../../../../application/commands/refused.ts'
import type { Answer } from '../../answer.ts'
import { describeError } from '../../errors/describe-error.ts'
import { failureAnswer } from '../../errors/failure-answer.ts'
import type { Work } from '../../request/exchange.ts'
import { withFile } from '../../file-answer.ts'
import { prefersPage } from '../../weighted-list.ts'
import { ClientTooSlow } from '../../timed-pieces.ts'
import type { HookParts, RequestState } from './request-state.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** The handler of a route: answers with what `work` gives. What it throws is for the error handler. */
export function answering(parts: HookParts, work: Work<Answer>): Handler {
  return async (request, reply) =>
    answerWith(parts, request, reply, await withFile(await work(request.state.exchange), request.headers))
}

/** The error handler: answers with what hooks and handlers throw, refusals among them. */
export function answeringErrors(parts: HookParts): ErrorHandler {
  return (error, request, reply) => {
    const { state } = request
    report(parts, state, error)
    if (state.isAnswered) for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name)
    return answerWith(parts, request, reply, failureAnswer(error, state.exchange.language))
  }
}

function answerWith(parts: HookParts, { state }: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const { status, headers, body, refused } = inFormFor(parts, state, answer)
  if (refused) parts.metrics.refused(state.route.name, refused)
  // Before the first piece, Fastify gives the error to the error handler.
  if (body instanceof Readable)
    body.once('error', (error) => {
      if (reply.raw.headersSent && !(error instanceof ClientTooSlow)) report(parts, state, error)
    })
  return reply
    .code(status)
    .headers(headers)
    .send(body ?? undefined)
}

/** A refusal as a page, for clients that prefer pages; everything else as it is. */
function inFormFor(
  { refusalPage }: Pick<HookParts, 'refusalPage'>,
  { route, exchange: { raw, language } }: RequestState,
  answer: Answer,
): Answer {
  if (!route.openedByPeople || !answer.refused || !refusalPage) return answer
  const form = prefersPage(raw.headers.accept) ? refusalPage(answer, language) : answer
  return { ...form, headers: { ...form.headers, vary: 'Accept' } }
}

/** Reports an error once, unless it is a plain refusal. An error caused by an outage is reported with the outage. */
function report(
  { logger, outages }: Pick<HookParts, 'logger' | 'outages'>,
  { route: { name: operation }, exchange: { facts, received } }: RequestState,
  error: unknown,
): void {
  if (error instanceof Refused) return
  const { id: requestId, clientRequestId } = facts
  const about = () => ({ requestId, clientRequestId, operation, error: describeError(error, received) })
  if (!outages.failed(error, about)) logger.error(about(), 'failed to answer')
}
