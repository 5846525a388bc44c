import { Refused } from '../../../application/commands/refused.ts'
import type { Operation } from '../operation.ts'
import { codesOf } from '../refusals.ts'
import { textOf, type Answer } from '../answer.ts'
import type { Work } from '../request/exchange.ts'

/**
 * Checks every refusal of an operation against its declared codes, in tests and development: an undeclared code becomes an
 * error. So the API document names every code that a test has seen. Production skips this to save time.
 */
export function withCheckedRefusals(operation: Operation, work: Work<Answer>): Work<Answer> {
  const { name, speaksOAuth2 } = operation
  const codes: ReadonlySet<unknown> = codesOf(operation)
  const check = (code: unknown): void => {
    if (codes.has(code) || (code === undefined && speaksOAuth2)) return
    throw new Error(`${name} does not list ${String(code)} among what it refuses with`)
  }
  return async (exchange) => {
    const answer = await orRefused(work(exchange), check)
    if (answer.status >= 400) check(codeIn(answer))
    return answer
  }
}

/** A refusal before it is turned into an answer. */
async function orRefused(answering: Promise<Answer>, check: (code: unknown) => void): Promise<Answer> {
  try {
    return await answering
  } catch (error) {
    if (error instanceof Refused) check(error.refusal.code)
    throw error
  }
}

/** Undefined for the OAuth2 envelope. */
function codeIn(answer: Answer): unknown {
  const parsed: unknown = JSON.parse(textOf(answer) ?? 'null')
  return typeof parsed === 'object' && parsed !== null && 'code' in parsed ? parsed.code : undefined
}
