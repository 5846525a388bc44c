/**
 * The maximum size of one append in bytes: for each event, data and metadata as JSON in UTF-8, the type twice, and `idBytes`.
 * EventStoreDB with its default settings counts this way and accepts no more.
 */
export const appendBytes_max = 1024 * 1024

/** Rejects an append of more than `appendBytes_max`. Nothing was written, and the same append always fails. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge'
}
