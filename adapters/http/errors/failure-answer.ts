import { Refused } from '../../../application/commands/refused.ts'
import { Unavailable } from '../../../application/failures/unavailable.ts'
import { errorCodes } from '../../../domain/kernel/error-codes.ts'
import { refusal, type FieldError, type Refusal } from '../../../domain/kernel/refusal.ts'
import type { Language } from '../../../domain/text/languages.ts'
import { jsonAnswer, noHeaders, notStored, retryAfterHeader, type Answer, type Headers } from '../answer.ts'
import { messagesIn, type Messages } from './messages.ts'

const shortWait_seconds = 1

/** The codes whose details hold a secret: the ticket of a sign-in that waits for its address to be authorized. */
const secretDetails: ReadonlySet<Refusal['code']> = new Set(['IP_AUTHORIZATION_REQUIRED'])

/**
 * The answer to a refusal: the status of its code, and the standard error body with messages in a language, or the
 * OAuth2 envelope, which is in English. The same refusal in the same language always gives the same bytes.
 */
export function refusalAnswer({ code, fields, details, oauth2 }: Refusal, language: Language): Answer {
  if (oauth2) return jsonAnswer(400, oauth2, notStored)
  const messages = messagesIn[language]
  const errors = distinct(fields).map(({ path, code: found, fault }) => ({
    path,
    code: found,
    message: messageOf(found, fault, messages),
    ...fault,
  }))
  const standard = {
    code,
    message: ofFirst(code, errors) ?? messages.errors[code],
    ...(errors.length === 0 ? {} : { errors }),
  }
  // Spread first to fix the order of the members, and again so that no detail replaces one of them.
  const answer = jsonAnswer(errorCodes[code], { ...standard, ...details, ...standard }, headersOf(code, details))
  return { ...answer, refused: code }
}

/** The message of INVALID_FORM_BODY names the first field and what is wrong with it: some clients show nothing else. */
function ofFirst(
  code: Refusal['code'],
  [first]: readonly { readonly path: string; readonly message: string }[],
): string | undefined {
  return code === 'INVALID_FORM_BODY' && first ? `${first.path}: ${first.message}` : undefined
}

/** The answer to any error of a request. An error that is not a refusal reveals nothing about itself. */
export function failureAnswer(error: unknown, language: Language): Answer {
  if (error instanceof Refused) return refusalAnswer(error.refusal, language)
  const code = error instanceof Unavailable ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR'
  return refusalAnswer(refusal(code), language)
}

/** At most one entry for each path and code. */
function distinct(fields: readonly FieldError[]): readonly FieldError[] {
  return [...new Map(fields.map((field) => [`${field.code} ${field.path}`, field])).values()]
}

/** INVALID_FORMAT has a message for each reason. What is not supported has its own message, whatever its code. */
function messageOf(code: FieldError['code'], fault: FieldError['fault'], { fields, reasons }: Messages): string {
  return fault && (code === 'INVALID_FORMAT' || fault.reason === 'not_supported') ? reasons[fault.reason] : fields[code]
}

/** Whose requests count: those of the sender, or those of everybody together. */
const scopes: Readonly<Partial<Record<Refusal['code'], string>>> = {
  RATE_LIMITED: 'user',
  MESSAGE_CROSSPOST_RATE_LIMITED: 'shared',
  PUBLISHED_MESSAGE_EDIT_RATE_LIMITED: 'shared',
}

function headersOf(code: Refusal['code'], { retry_after: retryAfter }: Refusal['details']): Headers {
  if (secretDetails.has(code)) return notStored
  if (code === 'SERVICE_UNAVAILABLE' || code === 'RESOURCE_LOCKED') return retryAfterHeader(shortWait_seconds)
  if (typeof retryAfter !== 'number') return noHeaders
  const scope = scopes[code]
  return { ...retryAfterHeader(retryAfter), ...(scope === undefined ? {} : { 'x-ratelimit-scope': scope }) }
}
