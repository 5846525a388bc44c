/** Not an acceptable image: of no known format, broken, or beyond `decodingLimits`. */
export class UnreadableImage extends Error {
  override readonly name = 'UnreadableImage'
}
