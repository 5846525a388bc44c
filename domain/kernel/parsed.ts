import type { FieldCode } from './field-codes.ts'

/** The result of parsing a value from outside: the value to keep, or the field code for the answer. */
export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly code: FieldCode }

export function parsed<Value>(value: Value): Parsed<Value> {
  return { ok: true, value }
}

export function unparsed(code: FieldCode): Parsed<never> {
  return { ok: false, code }
}
