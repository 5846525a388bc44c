import type { ErrorCode } from './error-codes.ts'
import type { FieldCode } from './field-codes.ts'

/** One entry of `errors`: where in the request, and which rule. `path` joins segments with dots, or is `root` or `body`. */
export interface FieldError {
  readonly path: string
  readonly code: FieldCode
  /** What is wrong, where the code alone does not tell. Its members stand beside `code` in the answer. */
  readonly fault?: FieldFault
}

/** What is wrong with a value (decision 107). Bounds are those of the schema, in the value's own unit. */
export type FieldFault =
  | { readonly reason: 'missing' }
  /** The types that the value may have, in the words of JSON Schema. */
  | { readonly reason: 'wrong_type'; readonly expected: readonly string[] }
  | { readonly reason: 'not_one_of'; readonly values: readonly (string | number | boolean | null)[] }
  | ({ readonly reason: 'out_of_range' } & Bounds)
  /** Of a text its characters, of a list its entries. */
  | ({ readonly reason: 'wrong_length' } & Bounds)
  /** The index of the first character that cannot stand there, from 0. */
  | { readonly reason: 'malformed_json'; readonly position: number }
  /** The contract knows the member, this server does not. */
  | { readonly reason: 'not_supported' }

/** Inclusive; a side without a bound is left out. */
export interface Bounds {
  readonly min?: number
  readonly max?: number
}

/** Why a command changes nothing: one of the contract's codes, with the rest of the answer. */
export interface Refusal {
  readonly code: ErrorCode
  readonly fields: readonly FieldError[]
  /** Members beside `code` in the answer, such as required_scope. */
  readonly details: Readonly<Record<string, unknown>>
  /** The error that a client of the OAuth2 protocol gets instead. */
  readonly oauth2?: OAuth2Error
}

/** An error of the OAuth2 protocol. The description is for developers. */
export interface OAuth2Error {
  readonly error: 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'invalid_scope'
  readonly error_description: string
}

/** The field entry of an INVALID_FORM_BODY refusal. */
export function field(path: string, code: FieldCode, fault?: FieldFault): FieldError {
  return fault ? { path, code, fault } : { path, code }
}

/** Builds a refusal with its field entries (none for most codes). */
export function refusal(code: ErrorCode, ...fields: readonly FieldError[]): Refusal {
  return { code, fields, details: {} }
}
