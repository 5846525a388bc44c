/** The size in bytes of a plain value as JSON in UTF-8. */
export function jsonBytes(value: unknown): number {
  const text = JSON.stringify(value)
  let bytes = text.length
  for (let at = 0; at < text.length; at += 1) bytes += bytesBeyondOne(text.charCodeAt(at))
  return bytes
}

/** Each half of a surrogate pair counts two of the pair's four bytes. */
function bytesBeyondOne(unit: number): number {
  if (unit < 0x80) return 0
  return unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
}
