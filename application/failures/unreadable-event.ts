/** A stored event that this program can't read. The message names its position, stream and type. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent'
}
