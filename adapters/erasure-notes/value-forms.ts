/** How a value may stand where something is stored. `whole`: only as a whole value, between quotes or as all there is. */
export interface ValueForm {
  readonly encoding: Encoding
  readonly bytes: Buffer
  readonly whole: boolean
}

/** The encodings that the product and its servers store texts in. Compressed bytes are unpacked before they are looked through. */
export const encodings = [
  'utf-8',
  'lower case',
  'JSON string',
  'JSON string in a JSON string',
  'HTML',
  'percent-encoded',
  'hexadecimal',
  'base64',
  'base64url',
] as const
export type Encoding = (typeof encodings)[number]

/** Of a longer value only this many bytes of a form are looked for. */
const form_bytes_max = 1024
/** Shorter values occur by chance inside others. */
export const inText_bytes_min = 8
/** Values that are shorter still are not looked for at all: they would be found in any instance. */
export const looked_bytes_min = 4

/** All forms of a value, none twice; none for a value of fewer than `looked_bytes_min` bytes. */
export function formsOf(text: string): readonly ValueForm[] {
  const plain = bytesOf(text)
  if (plain.length < looked_bytes_min) return []
  const whole = plain.length < inText_bytes_min
  const texts: readonly (readonly [Encoding, string])[] = [
    ['utf-8', text],
    ['lower case', text.toLowerCase()],
    ['JSON string', inJson(text)],
    ['JSON string in a JSON string', inJson(inJson(text))],
    ['HTML', inHtml(text)],
    ['percent-encoded', encodeURIComponent(text)],
  ]
  const plainForms = texts.map(([encoding, form]) => ({ encoding, bytes: bytesOf(form), whole }))
  const forms = whole
    ? plainForms
    : [...plainForms, ...hexadecimal(plain), ...aligned(plain), ...(inJson(text) === text ? [] : aligned(inJson(text)))]
  const seen = new Set<string>()
  return forms
    .map((form) => ({ ...form, bytes: form.bytes.subarray(0, form_bytes_max) }))
    .filter(({ bytes }) => {
      const key = bytes.toString('latin1')
      return !seen.has(key) && seen.add(key)
    })
}

const bytesOf = (text: string): Buffer => Buffer.from(text, 'utf8')

/** A text as it stands between the quotes of a JSON string. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const inHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

function hexadecimal(plain: Buffer): readonly ValueForm[] {
  const digits = plain.toString('hex')
  return [digits, digits.toUpperCase()].map((text) => ({ encoding: 'hexadecimal', bytes: bytesOf(text), whole: false }))
}

const group_bytes = 3
const group_bits = 6

/**
 * The part of a value's base64 that its neighbours do not change, for each of the three ways in which it can lie in the groups of
 * three bytes.
 */
function aligned(value: Buffer | string): readonly ValueForm[] {
  const bytes = typeof value === 'string' ? bytesOf(value) : value
  return [0, 1, 2].flatMap((before): readonly ValueForm[] => {
    const first = Math.ceil((before * 8) / group_bits)
    const end = Math.floor(((before + bytes.length) * 8) / group_bits)
    const padded = Buffer.concat([Buffer.alloc(before), bytes, Buffer.alloc(group_bytes)])
    return (['base64', 'base64url'] as const).map((encoding) => ({
      encoding,
      bytes: bytesOf(padded.toString(encoding).slice(first, end)),
      whole: false,
    }))
  })
}
