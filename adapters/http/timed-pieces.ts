import { Readable } from 'node:stream'

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

/** The pieces as the body of an answer, which ends if a client takes longer than the limit for one. Calls `onClose` once it has ended. */
export function timedBody(pieces: AsyncIterable<Uint8Array>, limit_ms: number, onClose: () => void): Readable {
  const giveUp = (): void => void body.destroy(new ClientTooSlow())
  const body = Readable.from(timed(pieces, limit_ms, giveUp), { objectMode: true, highWaterMark: 1 })
  return body.once('close', onClose)
}
