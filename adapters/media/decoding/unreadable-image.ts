/** Not an acceptable image: of no known format, or broken. */
export class UnreadableImage extends Error {
  override readonly name: string = 'UnreadableImage'
}

/** An image beyond `decodingLimits`: of too many pixels or frames. */
export class TooLargeImage extends UnreadableImage {
  override readonly name = 'TooLargeImage'
}
