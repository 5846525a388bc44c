import type { ErrorCode } from '../../domain/kernel/error-codes.ts'
import { refusal, type FieldError, type Refusal } from '../../domain/kernel/refusal.ts'

/** The one exception for a refusal. HTTP turns it into the answer with the contract's code. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly refusal: Refusal

  constructor(reason: Refusal) {
    super(reason.code)
    this.refusal = reason
  }
}

/** Refuses the request with a refusal, or with one of the contract's codes. */
export function reject(reason: ErrorCode | Refusal, ...fields: readonly FieldError[]): never {
  throw new Refused(typeof reason === 'string' ? refusal(reason, ...fields) : reason)
}

/** Handles an error of a promise: turns the refusal with a code into another one. */
export function insteadOf(code: ErrorCode, refuse: () => never): (error: unknown) => never {
  return (error) => {
    if (error instanceof Refused && error.refusal.code === code) refuse()
    throw error
  }
}

/** Refuses with members beside `code`, such as required_scope. */
export function rejectWith(code: ErrorCode, details: Readonly<Record<string, unknown>>): never {
  throw new Refused({ code, fields: [], details })
}
