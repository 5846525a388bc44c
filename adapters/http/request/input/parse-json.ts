import { field, type FieldError } from '../../../../domain/kernel/refusal.ts'
import { closingQuote } from './json-text.ts'
import { largestPart } from './largest-part.ts'
import { syntaxErrorAt } from './syntax-error-at.ts'

/** The parsed body, or its faults. */
export type ParsedJson =
  | {
      readonly ok: true
      readonly value: unknown
      /** The same value with its long integers as texts, if it has any: as numbers they would lose digits. */
      readonly longIntegersAsTexts?: unknown
    }
  | { readonly ok: false; readonly fault: FieldError }

/**
 * The deepest nesting of arrays and objects, and the most members in all, for any operation. A template of 250 roles and of 500
 * channels with 100 overwrites each stays below, so that its own bounds refuse it.
 */
export const depth_max = 64
export const members_max = 300_000
/** Numbers keep all integers with fewer digits. */
const longInteger_digits = 16

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a body as JSON in UTF-8, whatever its Content-Type is. An empty or blank body gives an empty object. Faults:
 * INVALID_FORMAT at `body` for invalid JSON, with its position, or JSON that is nested too deep; TOO_LARGE beyond `bound` members,
 * at the path of the part with most of them, before any of them is made a value.
 */
export function parseJson(bytes: Uint8Array, bound = members_max): ParsedJson {
  let text: string | undefined
  try {
    text = utf8.decode(bytes)
    if (text.trim() === '') return { ok: true, value: {} }
    const shape = shapeOf(text, bound)
    if ('fault' in shape) return { ok: false, fault: shape.fault }
    const value: unknown = JSON.parse(text)
    if (shape.longIntegers.length === 0) return { ok: true, value }
    return { ok: true, value, longIntegersAsTexts: JSON.parse(quoted(text, shape.longIntegers)) }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return { ok: false, fault: malformed(text) }
    throw error
  }
}

/** `text` is undefined for bytes that are not UTF-8. */
function malformed(text: string | undefined): FieldError {
  const position = text === undefined ? undefined : syntaxErrorAt(text)
  return field('body', 'INVALID_FORMAT', position === undefined ? undefined : { reason: 'malformed_json', position })
}

/** A range of a text. */
type Span = readonly [from: number, to: number]

const [quote, comma, minus, zero, nine] = [0x22, 0x2c, 0x2d, 0x30, 0x39]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Finds long integers, and shapes that would take the parser, or code that walks its result, too long. Reads each character
 * once.
 */
function shapeOf(
  text: string,
  bound: number,
): { readonly longIntegers: readonly Span[] } | { readonly fault: FieldError } {
  const longIntegers: Span[] = []
  let depth = 0
  let members = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === quote) at = closingQuote(text, at)
    else if (character === minus || isDigit(character)) {
      const end = numberEnd(text, at)
      if (end - at >= longInteger_digits && integer.test(text.slice(at, end))) longIntegers.push([at, end])
      at = end - 1
    } else if (character === openList || character === openObject) {
      depth += 1
      members += 1
    } else if (character === closeList || character === closeObject) depth -= 1
    else if (character === comma) members += 1
    if (depth > depth_max) return { fault: field('body', 'INVALID_FORMAT') }
    if (members > bound) return { fault: field(largestPart(text, at + 1), 'TOO_LARGE') }
  }
  return { longIntegers }
}

const integer = /^-?[0-9]+$/

function isDigit(character: number): boolean {
  return character >= zero && character <= nine
}

const inNumbers: ReadonlySet<number> = new Set(Buffer.from('0123456789+-.eE'))

/** The end of the number that begins at `start`. */
function numberEnd(text: string, start: number): number {
  let end = start + 1
  while (inNumbers.has(text.charCodeAt(end))) end += 1
  return end
}

/** The text with quotes around some of its parts. */
function quoted(text: string, spans: readonly Span[]): string {
  let done = 0
  const parts = spans.map(([from, to]) => {
    const part = `${text.slice(done, from)}"${text.slice(from, to)}"`
    done = to
    return part
  })
  return `${parts.join('')}${text.slice(done)}`
}
