import type { FieldCode } from '../../../../domain/kernel/field-codes.js'

/** What a body's text says, or the field code that its refusal carries. */
export type ParsedJson =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly code: FieldCode }

/** How deep arrays and objects may stand in each other, and how many members they may have in all. */
export const depth_max = 64
export const members_max = 200_000

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses a body as JSON in UTF-8, whatever its Content-Type says. An empty or blank one is an empty object. */
export function parseJson(bytes: Uint8Array): ParsedJson {
  try {
    const text = utf8.decode(bytes)
    if (text.trim() === '') return { ok: true, value: {} }
    const code = shapeFault(text)
    if (code) return { ok: false, code }
    const value: unknown = JSON.parse(text)
    return { ok: true, value }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return { ok: false, code: 'INVALID_FORMAT' }
    throw error
  }
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const openers: ReadonlySet<number> = new Set([0x5b, 0x7b])
const closers: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** Looks for a shape that would take the parser, or what walks its result, too long. Reads each character once. */
function shapeFault(text: string): FieldCode | undefined {
  let depth = 0
  let members = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === quote) at = closingQuote(text, at)
    else if (openers.has(character)) {
      depth += 1
      members += 1
    } else if (closers.has(character)) depth -= 1
    else if (character === comma) members += 1
    if (depth > depth_max) return 'INVALID_FORMAT'
    if (members > members_max) return 'TOO_LARGE'
  }
  return undefined
}

/** Where the string that opens at `start` closes; the end of the text where it does not. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1
    if (backslashes % 2 === 0) return at
  }
  return text.length
}
