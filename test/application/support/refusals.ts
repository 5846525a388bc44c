import { Refused } from '../../../application/commands/refused.ts'
import type { FieldError, Refusal } from '../../../domain/kernel/refusal.ts'

/** The refusal of a request. Fails if it was not refused. */
export async function refusalOf(request: Promise<unknown>): Promise<Refusal> {
  const outcome = await request.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('error' in outcome && outcome.error instanceof Refused) return outcome.error.refusal
  if ('error' in outcome) throw outcome.error
  throw new Error(`Expected a refusal, got ${JSON.stringify(outcome.value)}`)
}

/** The code of a refusal. */
export async function codeOf(request: Promise<unknown>): Promise<string> {
  return (await refusalOf(request)).code
}

/** The field entries of an INVALID_FORM_BODY refusal. */
export async function fieldsOf(request: Promise<unknown>): Promise<readonly FieldError[]> {
  const { code, fields } = await refusalOf(request)
  if (code !== 'INVALID_FORM_BODY') throw new Error(`Expected INVALID_FORM_BODY, got ${code}`)
  return fields
}
