/** A range of bytes, both ends included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/** Digits that a number holds exactly. */
const oneRange = /^bytes=(?<first>[0-9]{0,15})-(?<last>[0-9]{0,15})$/

/**
 * What a Range header asks for (RFC 9110, 14.2): undefined for the whole, also where the header can't be read or names several
 * ranges; `beyond` for a range that no byte lies in.
 */
export function rangeOf(header: string | undefined, size_bytes: number): ByteRange | 'beyond' | undefined {
  const { first = '', last = '' } = oneRange.exec(header?.trim() ?? '')?.groups ?? {}
  if (first === '' && last === '') return undefined
  if (first === '') return fromEnd(Number(last), size_bytes)
  if (last !== '' && Number(last) < Number(first)) return undefined
  if (Number(first) >= size_bytes) return 'beyond'
  return { first: Number(first), last: last === '' ? size_bytes - 1 : Math.min(Number(last), size_bytes - 1) }
}

function fromEnd(length: number, size_bytes: number): ByteRange | 'beyond' {
  if (length === 0 || size_bytes === 0) return 'beyond'
  return { first: Math.max(0, size_bytes - length), last: size_bytes - 1 }
}
