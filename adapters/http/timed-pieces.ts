/** A client took too long for a piece of its answer. */
export class ClientTooSlow extends Error {
  override readonly name = 'ClientTooSlow'

  constructor() {
    super('the client reads its answer too slowly')
  }
}

/** The same pieces. Calls `giveUp` if the next one is not asked for in time. */
export async function* timed<Piece>(
  pieces: AsyncIterable<Piece>,
  limit_ms: number,
  giveUp: () => void,
): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    const timer = setTimeout(giveUp, limit_ms)
    try {
      yield piece
    } finally {
      clearTimeout(timer)
    }
  }
}
