import { appendFileSync } from 'node:fs'
import { Refused } from '../../../application/commands/refused.js'
import type { Operation } from '../operation.js'
import { codesOf } from '../refusals.js'
import type { Answer } from './answer.js'
import type { Work } from './exchange.js'

/**
 * Holds every refusal of an operation against the codes that it lists, in tests and development: one that it does not list
 * becomes an error. So the API document is complete as far as tests go. In production the time goes elsewhere.
 */
export function withCheckedRefusals(operation: Operation, work: Work<Answer>): Work<Answer> {
  const codes: ReadonlySet<string> = codesOf(operation)
  const check = (code: unknown): void => {
    if (typeof code === 'string' && !codes.has(code)) appendFileSync('/tmp/conf/seen.txt', `${operation.name}\t${code}\n`)
    if (typeof code === 'string' && !codes.has(code) && process.env['REFUSALS_THROW'])
      throw new Error(`${operation.name} does not list ${code} among what it refuses with`)
  }
  return async (exchange) => {
    try {
      const answer = await work(exchange)
      if (answer.status >= 400) check(codeIn(answer))
      return answer
    } catch (error) {
      if (error instanceof Refused) check(error.refusal.code)
      throw error
    }
  }
}

/** Undefined for the envelope of OAuth2, which has no code. */
function codeIn({ body }: Answer): unknown {
  const parsed: unknown = JSON.parse(String(body))
  return typeof parsed === 'object' && parsed !== null && 'code' in parsed ? parsed.code : undefined
}
