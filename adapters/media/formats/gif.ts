/** Whether a GIF has more than one frame. One whose blocks break off counts the frames until there. */
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

/** A table of colours follows where the first bit is set; the last three say how many there are. */
function colourTable_bytes(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * (2 << (flags & 0x07))
}

/** Sub-blocks each begin with their length; one of length 0 ends them. */
function afterSubBlocks(bytes: Buffer, from: number): number {
  let at = from
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) at += length + 1
  return at + 1
}
