import type { IncomingMessage } from 'node:http'
import { Refused } from '../../../../application/commands/refused.ts'
import { refusal } from '../../../../domain/kernel/refusal.ts'
import { keepPace } from './read-body.ts'

export interface ArrivingBytes {
  readonly bytes: AsyncIterable<Uint8Array>
  /** Call when no more are wanted. */
  end(): void
}

/**
 * The bytes of a body as they come. They reject with BAD_REQUEST if they come slower than `bodyPace`, and if the client disconnects.
 */
export function arrivingBytes(raw: IncomingMessage): ArrivingBytes {
  const brokenOff = (): Refused => new Refused(refusal('BAD_REQUEST'))
  let arrived_bytes = 0
  let breakOff: (error: Refused) => void = () => undefined
  const broken = new Promise<never>((_, fail) => {
    breakOff = fail
  })
  // Nobody may be waiting for bytes at that moment.
  broken.catch(() => undefined)
  const end = keepPace(
    () => arrived_bytes,
    () => breakOff(brokenOff()),
  )
  async function* arriving(): AsyncGenerator<Uint8Array> {
    const pieces: AsyncIterator<Uint8Array> = raw.iterator({ destroyOnReturn: false })
    const next = () => pieces.next().catch(() => Promise.reject(brokenOff()))
    for (;;) {
      const { value, done } = await Promise.race([next(), broken])
      if (done === true) return
      arrived_bytes += value.length
      yield value
    }
  }
  return { bytes: arriving(), end }
}
