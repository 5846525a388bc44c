import type { ErrorCode } from './error-codes.js'
import type { FieldCode } from './field-codes.js'

/** One entry of `errors`: where in the request, and which rule. `path` joins segments with dots, or is `root` or `body`. */
export interface FieldError {
  readonly path: string
  readonly code: FieldCode
}

/** Why a command changes nothing: one of the contract's codes, with what the answer carries beside it. */
export interface Refusal {
  readonly code: ErrorCode
  readonly fields: readonly FieldError[]
  /** Members that stand beside `code` in the answer, such as required_scope (reference identity 1.6). */
  readonly details: Readonly<Record<string, unknown>>
}

/** The field entry of an INVALID_FORM_BODY refusal. */
export function field(path: string, code: FieldCode): FieldError {
  return { path, code }
}

/** Builds a refusal with its field entries (none for most codes). */
export function refusal(code: ErrorCode, ...fields: readonly FieldError[]): Refusal {
  return { code, fields, details: {} }
}
