/** Not an image that can be taken: of no known format, broken, or beyond `decodingLimits`. */
export class UnreadableImage extends Error {
  override readonly name = 'UnreadableImage'
}
