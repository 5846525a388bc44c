import { Unavailable } from '../../../application/failures/unavailable.ts'

/** An unexpected error as it is logged, without anything that the client sent. */
export interface ErrorDescription {
  readonly name: string
  readonly message: string
  readonly code?: string
  /** The error passes by itself: the log reports it once for each outage. */
  readonly unavailable?: true
  readonly stack?: string
  readonly cause?: ErrorDescription
}

const causes_max = 5
const received_max = 1000
/** Shorter texts reveal nothing, and occur in every message by chance. */
const hiddenText_min = 4
/** Ids are not secret, and an error without them is of no use. */
const snowflakeText = /^\d{15,19}$/
const text_max = 8000
/** The part that is searched. A text that the first bound would cut in half is still found whole. */
const searched_max = 64_000

/**
 * Describes an error for the log. Leaves out members that libraries attach to their errors (a row, a query's values). Removes
 * every text of `received`, which came with the request, from the rest.
 */
export function describeError(error: unknown, received: readonly unknown[]): ErrorDescription {
  return describe(error, textsOf(received), 0)
}

function describe(error: unknown, texts: readonly string[], depth: number): ErrorDescription {
  if (!(error instanceof Error)) return { name: typeof error, message: 'something that is not an error was thrown' }
  const code = 'code' in error && typeof error.code === 'string' ? { code: without(texts, error.code) } : {}
  const stack = error.stack === undefined ? {} : { stack: without(texts, error.stack) }
  const cause =
    error.cause === undefined || depth === causes_max ? {} : { cause: describe(error.cause, texts, depth + 1) }
  const passing = error instanceof Unavailable ? { unavailable: true as const } : {}
  return { name: error.name, message: without(texts, error.message), ...passing, ...code, ...stack, ...cause }
}

function without(texts: readonly string[], message: string): string {
  const cleaned = texts.reduce((rest, text) => rest.replaceAll(text, '[received]'), message.slice(0, searched_max))
  return cleaned.slice(0, text_max)
}

/** Every text in values from outside, both plain and as JSON writes it, the longest first. */
function textsOf(received: readonly unknown[]): readonly string[] {
  const found = new Set<string>()
  const waiting: unknown[] = [...received]
  while (waiting.length > 0 && found.size < received_max) {
    const value = waiting.pop()
    if (typeof value === 'object' && value !== null) waiting.push(...Object.values(value).slice(0, received_max))
    if (typeof value !== 'string' || value.trim().length < hiddenText_min || snowflakeText.test(value)) continue
    found.add(value).add(value.trim()).add(JSON.stringify(value).slice(1, -1))
  }
  return [...found].toSorted((a, b) => b.length - a.length)
}
