/** Reads bytes that come in pieces, some at a time. Holds no more than one read asks for, and the piece at hand. */
export interface ByteReader {
  /** This many bytes, or all that are left if those are fewer. */
  take(length: number): Promise<Buffer>
  /** What is at hand of the next `length_max` bytes, at least one of them; empty at the end. */
  some(length_max: number): Promise<Buffer>
  /** Puts bytes back in front. */
  putBack(bytes: Buffer): void
}

export function byteReader(pieces: AsyncIterable<Uint8Array>): ByteReader {
  const source = pieces[Symbol.asyncIterator]()
  const held: Buffer[] = []
  /** Takes the next piece in; false at the end. */
  const more = async (): Promise<boolean> => {
    const { value, done } = await source.next()
    if (done === true) return false
    if (value.length > 0) held.push(asBuffer(value))
    return true
  }
  const give = (length: number): Buffer => {
    const [first = nothing] = held
    if (first.length <= length) return held.shift() ?? nothing
    held[0] = first.subarray(length)
    return first.subarray(0, length)
  }
  return {
    async take(length) {
      const taken: Buffer[] = []
      let left = length
      while (left > 0 && (held.length > 0 || (await more()))) {
        const part = give(left)
        left -= part.length
        taken.push(part)
      }
      return taken.length === 1 ? (taken[0] ?? nothing) : Buffer.concat(taken)
    },
    async some(length_max) {
      while (held.length === 0 && (await more()));
      return give(length_max)
    },
    putBack(bytes) {
      if (bytes.length > 0) held.unshift(bytes)
    },
  }
}

const nothing = Buffer.alloc(0)

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
