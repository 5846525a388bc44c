import type { ErrorCode } from './error-codes.js'
import type { FieldCode } from './field-codes.js'

/** One entry of `errors`: where in the request, and which rule. `path` joins segments with dots, or is `root` or `body`. */
export interface FieldError {
  readonly path: string
  readonly code: FieldCode
}

/** Why a command changes nothing: one of the contract's codes, with the rest of the answer. */
export interface Refusal {
  readonly code: ErrorCode
  readonly fields: readonly FieldError[]
  /** Members beside `code` in the answer, such as required_scope (reference identity 1.6). */
  readonly details: Readonly<Record<string, unknown>>
  /** The error that a client of the OAuth2 protocol gets instead (reference identity 7.5). */
  readonly oauth2?: OAuth2Error
}

/** An error of the OAuth2 protocol. The description is for developers. */
export interface OAuth2Error {
  readonly error: 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'invalid_scope'
  readonly error_description: string
}

/** The field entry of an INVALID_FORM_BODY refusal. */
export function field(path: string, code: FieldCode): FieldError {
  return { path, code }
}

/** Builds a refusal with its field entries (none for most codes). */
export function refusal(code: ErrorCode, ...fields: readonly FieldError[]): Refusal {
  return { code, fields, details: {} }
}
