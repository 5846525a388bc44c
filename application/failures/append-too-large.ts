/** Rejects an append of more than `appendBytes_max`. Nothing was written, and the same append always fails. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge'
}
