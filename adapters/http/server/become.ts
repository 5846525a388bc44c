import type { Ports } from '../../../application/ports.ts'
import { requireAllowedCaller } from '../authentication/allowed-callers.ts'
import { jsonAnswer } from '../answer.ts'
import type { Outcome } from '../idempotency/idempotency.ts'
import { isSchema, type Schema } from '../operation.ts'
import type { CheckedRequest } from './carry-out.ts'

/** What is carried out for a request, and what is answered then. */
interface CarriedOut {
  readonly request: CheckedRequest
  readonly answered: (outcome: Outcome) => Outcome
}

/**
 * The request that is carried out: nearly always the one that was sent. An operation that only finds another one becomes a request to
 * that, whose callers and body are checked as if it had been sent. A repeat with the same command id becomes the same request.
 */
export async function become(ports: Ports, asked: CheckedRequest, commandId: string): Promise<CarriedOut> {
  const { becomes } = asked.operation
  if (!becomes) return { request: asked, answered: (outcome) => outcome }
  const { operation, params, body, reply } = await becomes(ports, asked.input, commandId)
  requireAllowedCaller(operation.callers, asked.authenticated)
  const input = {
    ...asked.input,
    params: parsed(operation.params, params),
    query: undefined,
    body: parsed(operation.body, body),
  }
  return {
    request: { ...asked, operation, handle: operation.open(ports), input },
    answered: (outcome) => (outcome.answer.status >= 400 ? outcome : { ...outcome, answer: jsonAnswer(200, reply) }),
  }
}

/** It is this program that sends it: a fault is a mistake of ours. */
function parsed(schema: Schema, value: unknown): unknown {
  return isSchema(schema) ? schema.parse(value) : undefined
}
