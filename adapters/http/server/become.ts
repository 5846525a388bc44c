import type { CommandOrigin } from '../../../application/ports/command-origins.ts'
import type { Ports } from '../../../application/ports.ts'
import { refusal } from '../../../domain/kernel/refusal.ts'
import { requireAllowedCaller } from '../authentication/allowed-callers.ts'
import { jsonAnswer, noHeaders, notStored, textOf, type Answer, type Headers } from '../answer.ts'
import { refusalAnswer } from '../errors/failure-answer.ts'
import type { Outcome } from '../idempotency/idempotency.ts'
import type { BecomingRequest } from '../becoming.ts'
import { isSchema, type Operation, type Schema } from '../operation.ts'
import { sudoHeader } from '../sudo.ts'
import type { CheckedRequest } from './carry-out.ts'

/** What is carried out for a request, in this order, and what is answered then. */
export interface Became {
  readonly requests: readonly BecameRequest[]
  readonly reply: unknown
}

interface BecameRequest extends Pick<BecomingRequest<Operation>, 'commandId' | 'isDone'> {
  readonly request: CheckedRequest
}

/**
 * The requests that one to an operation becomes which only finds others. Their callers and bodies are checked as if they had been sent,
 * before any is carried out. A repeat with the same command id becomes what is left of them.
 */
export async function become(
  becomes: NonNullable<Operation['becomes']>,
  ports: Ports,
  asked: CheckedRequest,
  { commandId, now }: Pick<CommandOrigin, 'commandId' | 'now'>,
): Promise<Became> {
  const { authenticated, input } = asked
  if (!authenticated) throw new Error(`${asked.operation.name} takes an account`)
  const { params, body } = input
  const { requests, reply } = await becomes(ports, { params, body, by: authenticated.account.id, commandId, now })
  for (const { operation } of requests) requireAllowedCaller(operation.callers, authenticated)
  return {
    requests: requests.map(({ operation, isDone, ...sent }) => ({
      commandId: sent.commandId,
      ...(isDone && { isDone }),
      request: {
        ...asked,
        operation,
        handle: operation.open(ports),
        input: { ...input, ...parsedOf(operation, sent) },
      },
    })),
    reply,
  }
}

/** Carries out one after another. The answer is the first refusal, or the reply of the request that became these. */
export async function carryOutEach(
  { requests, reply }: Became,
  origin: CommandOrigin,
  carry: (request: CheckedRequest, origin: CommandOrigin) => Promise<Outcome>,
): Promise<Outcome> {
  let last: Outcome | undefined
  for (const { request, commandId, isDone } of requests) {
    const outcome = await carry(request, { ...origin, commandId })
    const { answer } = outcome
    // What was carried out before stays, so a repeat may still do the rest.
    if (answer.status >= 400) return last ? { answer, counts: 'open' } : outcome
    if (isDone && !isDone(JSON.parse(textOf(answer) ?? 'null')))
      return { answer: refusalAnswer(refusal('CONFLICT'), request.language), counts: 'open' }
    last = outcome
  }
  if (!last) throw new Error('A request became none')
  return { ...last, answer: jsonAnswer(200, reply, sudoHeadersOf(last.answer)) }
}

function sudoHeadersOf({ headers }: Answer): Headers {
  const proof = headers[sudoHeader]
  return proof === undefined ? noHeaders : { [sudoHeader]: proof, ...notStored }
}

function parsedOf(
  operation: Pick<Operation, 'params' | 'query' | 'body'>,
  { params, query, body, wishes }: Pick<BecomingRequest<Operation>, 'params' | 'query' | 'body' | 'wishes'>,
) {
  return {
    params: parsed(operation.params, params),
    query: parsed(operation.query, query ?? {}),
    body: wishes ?? parsed(operation.body, body),
  }
}

/** It is this program that sends it: a fault is a mistake of ours. */
function parsed(schema: Schema, value: unknown): unknown {
  return isSchema(schema) ? schema.parse(value) : undefined
}
