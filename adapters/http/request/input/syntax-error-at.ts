import { closingQuote } from './json-text.ts'

const blank = /[ \t\n\r]*/y
const scalar = /(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)/y
const badCharacter = /[^\u0020-\u{10ffff}]|\\(?:u(?![0-9a-fA-F]{4})|[^"\\/bfnrtu])/u
const escapedPair = /\\["\\/bfnrt]/g

type Awaited = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end'

/**
 * Where a text stops being JSON (RFC 8259): the index of the first character that cannot stand there, or the length of a text
 * that ends too early; undefined for JSON. The parser's own message has no position for short texts. Reads each character a
 * bounded number of times.
 */
export function syntaxErrorAt(text: string): number | undefined {
  const open: ('[' | '{')[] = []
  let awaited: Awaited = 'value'
  let at = after(blank, text, 0)
  while (at < text.length) {
    const character = text[at] ?? ''
    const closes: boolean = character === (open.at(-1) === '[' ? ']' : '}')
    const isKey: boolean = awaited === 'key' || awaited === 'key or }'
    const mayClose: boolean = awaited === ', or end' || awaited === 'value or ]' || awaited === 'key or }'
    if (open.length > 0 && closes && mayClose) {
      open.pop()
      awaited = ', or end'
      at += 1
    } else if (awaited === ', or end') {
      if (character !== ',' || open.length === 0) return at
      awaited = open.at(-1) === '[' ? 'value' : 'key'
      at += 1
    } else if (awaited === ':') {
      if (character !== ':') return at
      awaited = 'value'
      at += 1
    } else if (character === '"') {
      const end = closingQuote(text, at)
      const bad = badIn(text, at + 1, end)
      if (bad !== undefined || end === text.length) return bad ?? end
      awaited = isKey ? ':' : ', or end'
      at = end + 1
    } else if (isKey) {
      return at
    } else if (character === '[' || character === '{') {
      open.push(character)
      awaited = character === '[' ? 'value or ]' : 'key or }'
      at += 1
    } else {
      const end = after(scalar, text, at)
      if (end === at) return at
      awaited = ', or end'
      at = end
    }
    at = after(blank, text, at)
  }
  return awaited === ', or end' && open.length === 0 ? undefined : text.length
}

/** The end of what a sticky pattern matches at an index; the index itself without a match. */
function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** The first character of a string that must be escaped, or begins an escape that does not exist. */
function badIn(text: string, from: number, to: number): number | undefined {
  const inner = text.slice(from, to).replaceAll(escapedPair, '  ')
  const bad = badCharacter.exec(inner)?.index
  return bad === undefined ? undefined : from + bad
}
