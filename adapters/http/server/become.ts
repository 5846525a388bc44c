import type { CommandOrigin } from '../../../application/ports/command-origins.ts'
import type { Ports } from '../../../application/ports.ts'
import { requireAllowedCaller } from '../authentication/allowed-callers.ts'
import { jsonAnswer } from '../answer.ts'
import type { Outcome } from '../idempotency/idempotency.ts'
import { isSchema, type Operation, type Schema } from '../operation.ts'
import type { CheckedRequest } from './carry-out.ts'

/** What is carried out for a request, and what is answered then. */
interface CarriedOut {
  readonly request: CheckedRequest
  readonly answered: (outcome: Outcome) => Outcome
}

/**
 * The request that one to an operation becomes which only finds another. Its callers and body are checked as if it had been sent. A
 * repeat with the same command id becomes the same request.
 */
export async function become(
  becomes: NonNullable<Operation['becomes']>,
  ports: Ports,
  asked: CheckedRequest,
  { commandId }: Pick<CommandOrigin, 'commandId'>,
): Promise<CarriedOut> {
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
