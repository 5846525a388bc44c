/** Whether a GIF has more than one frame. If its blocks break off, only the frames before that count. */
export function gifMoves(bytes: Buffer): boolean {
  let frames = 0
  let at = 13 + colourTable_bytes(bytes[10])
  while (at < bytes.length && frames < 2) {
    const block = bytes[at]
    if (block === imageBlock) {
      frames += 1
      at = afterSubBlocks(bytes, at + 10 + colourTable_bytes(bytes[at + 9]) + 1)
    } else if (block === extensionBlock) at = afterSubBlocks(bytes, at + 2)
    else break
  }
  return frames > 1
}

const imageBlock = 0x2c
const extensionBlock = 0x21

/** A colour table follows if the first bit is set; the last three bits give its size. */
function colourTable_bytes(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * (2 << (flags & 0x07))
}

/** Each sub-block begins with its length; length 0 ends them. */
function afterSubBlocks(bytes: Buffer, from: number): number {
  let at = from
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) at += length + 1
  return at + 1
}
