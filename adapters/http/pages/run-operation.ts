import { Refused } from '../../../application/commands/refused.ts'
import { failureAnswer } from '../errors/failure-answer.ts'
import { textOf, type Answer } from '../answer.ts'
import type { Exchange, Work } from '../request/exchange.ts'

/** What a page passes to an operation. */
export interface OperationInput {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** A session's token: the operation's Authorization header. */
  readonly token?: string
}

/** What came of an operation. */
export interface Outcome {
  readonly ok: boolean
  readonly status: number
  /** The parsed JSON; empty without a body. */
  readonly value: Readonly<Record<string, unknown>>
  /** What people are told of a refusal. */
  readonly messages: readonly string[]
}

/** Runs an operation of the API by its name, with all of its limits and checks. Errors that are no refusals are thrown. */
export type RunOperation = (name: string, input?: OperationInput) => Promise<Outcome>

/** Runs operations instead of a page's request: from the same address, with the same share of the server. */
export function runOperations(works: ReadonlyMap<string, Work<Answer>>, exchange: Exchange): RunOperation {
  return async (name, { params = {}, body = {}, token } = {}) => {
    const work = works.get(name)
    if (!work) throw new Error(`There is no operation ${name}`)
    if (token !== undefined) exchange.received.push(token)
    return outcomeOf(await refusalsAnswered(work({ ...withoutHeaders(exchange, token), params, body }), exchange))
  }
}

/** A request with no more than a browser sends by itself: other headers have no part in what a page does. */
export function withoutHeaders(exchange: Exchange, token?: string): Exchange {
  const facts = { ...exchange.facts, authorization: token, idempotencyKey: undefined, sudoProof: null }
  return { ...exchange, facts, search: '' }
}

/** An answer, also where the operation refuses. Errors that are no refusals are thrown. */
export async function refusalsAnswered(answering: Promise<Answer>, { language }: Exchange): Promise<Answer> {
  try {
    return await answering
  } catch (error) {
    if (error instanceof Refused) return failureAnswer(error, language)
    throw error
  }
}

/** What an answer in JSON says. */
export function outcomeOf(answer: Answer): Outcome {
  const value = objectIn(JSON.parse(textOf(answer) ?? '{}'))
  const fields = Array.isArray(value['errors']) ? value['errors'] : []
  const whole = value['message'] ?? value['error_description']
  const messages = fields.length > 0 ? fields.map((each) => objectIn(each)['message']) : [whole]
  return {
    ok: answer.status < 400,
    status: answer.status,
    value,
    messages: messages.filter((message) => typeof message === 'string'),
  }
}

/** A value as an object: a list becomes its member `items`, everything else is empty. */
export function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  if (Array.isArray(value)) return { items: value }
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** A member that is a text, or undefined. */
export function textIn(value: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const member = value[name]
  return typeof member === 'string' ? member : undefined
}
