/** How a picture is turned: 1 as it is, up to 8. */
export type Orientation = number

const upright: Orientation = 1
const orientationTag = 0x0112
const entry_bytes = 12
const shortType = 3
/** A header, one entry, and the end. */
export const minimalExif_bytes = 26

/** What Exif data says of how the picture is turned; 1 if it says nothing that can be read. */
export function orientationIn(exif: Buffer): Orientation {
  const order = exif.toString('latin1', 0, 2)
  if (exif.length < minimalExif_bytes || (order !== 'II' && order !== 'MM')) return upright
  const isLittle = order === 'II'
  const short = (at: number): number => (isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at))
  const entries = isLittle ? exif.readUInt32LE(4) : exif.readUInt32BE(4)
  if (entries + 2 > exif.length) return upright
  const count = short(entries)
  for (let number = 0; number < count; number += 1) {
    const at = entries + 2 + number * entry_bytes
    if (at + entry_bytes > exif.length) return upright
    if (short(at) !== orientationTag) continue
    const value = short(at + 8)
    return value >= 1 && value <= 8 ? value : upright
  }
  return upright
}

/** Exif data that says how a picture is turned, and nothing else. */
export function exifOf(orientation: Orientation): Buffer {
  const exif = Buffer.alloc(minimalExif_bytes)
  exif.write('II', 0, 'latin1')
  exif.writeUInt16LE(42, 2)
  exif.writeUInt32LE(8, 4)
  exif.writeUInt16LE(1, 8)
  exif.writeUInt16LE(orientationTag, 10)
  exif.writeUInt16LE(shortType, 12)
  exif.writeUInt32LE(1, 14)
  exif.writeUInt16LE(orientation, 18)
  return exif
}

/** Whether a picture is shown as it is stored. */
export function isUpright(orientation: Orientation): boolean {
  return orientation === upright
}
