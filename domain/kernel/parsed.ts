import type { FieldCode } from './field-codes.js'

/** What becomes of a value from outside: the value as it is kept, or the field code that the answer carries. */
export type Parsed<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly code: FieldCode }

export function parsed<Value>(value: Value): Parsed<Value> {
  return { ok: true, value }
}

export function unparsed(code: FieldCode): Parsed<never> {
  return { ok: false, code }
}
