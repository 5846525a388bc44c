const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The text of a header: UTF-8 if its bytes are valid UTF-8, otherwise one character for each byte, as older HTTP has it. */
export function headerText(value: string): string {
  if (isAscii(value)) return value
  // Node gives each byte as one character.
  const bytes = Buffer.from(value, 'latin1')
  try {
    return utf8.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return value
    throw error
  }
}

const isAscii = (value: string): boolean => !/[\u0080-\u{10ffff}]/u.test(value)

/** Cuts a text to at most `units_max` UTF-16 units, never inside a character. */
export function cut(text: string, units_max: number): string {
  if (text.length <= units_max) return text
  const kept = text.slice(0, units_max)
  return /[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept
}
