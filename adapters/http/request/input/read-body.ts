import type { IncomingMessage } from 'node:http'
import { Refused, reject } from '../../../../application/commands/refused.ts'
import { refusal } from '../../../../domain/kernel/refusal.ts'
import type { RequestShare } from '../shares/request-share.ts'

export const bodyBytes_max = 1024 * 1024
export const imageBodyBytes_max = 16 * 1024 * 1024
/** A body has to arrive at least at this rate, measured from when the server waits for it, after the grace period. */
export const bodyPace = { grace_ms: 5000, bytesPerSecond_min: 1024 } as const
/**
 * How long the rest of an unwanted body is read and discarded, so that the client can read its answer. Counted in steps: one in
 * which this process itself stood still, and read nothing, counts once.
 */
const discard = { steps_max: 20, step_ms: 100 } as const

/**
 * Reads a body of at most `bytes_max`. A longer one, by its Content-Length or by what has arrived, gives undefined, and no more
 * of it is held in memory. A request gives up its slot at work while its body is arriving. Refuses with SERVICE_UNAVAILABLE if
 * there is no space, and with BAD_REQUEST if the body arrives slower than `bodyPace`. Also refuses with BAD_REQUEST if the
 * client disconnects, though nobody reads that.
 */
export async function readBody(
  raw: IncomingMessage,
  bytes_max: number,
  share: RequestShare,
): Promise<Buffer | undefined> {
  if (!raw.complete) share.leave()
  const body = await received(raw, bytes_max, share)
  share.enter()
  return body
}

async function received(raw: IncomingMessage, bytes_max: number, share: RequestShare): Promise<Buffer | undefined> {
  const { 'content-length': length, 'transfer-encoding': coding } = raw.headers
  if (Number(length ?? 0) > bytes_max) return undefined
  if (coding === undefined && (length === undefined || length === '0')) return Buffer.alloc(0)
  if (raw.destroyed) return reject('BAD_REQUEST')
  const chunks: Buffer[] = []
  let bytes = 0
  const isWhole = await new Promise<boolean>((resolve, fail) => {
    const stopPace = keepPace(
      () => bytes,
      () => settle(() => fail(brokenOff())),
    )
    // A request without an encoding emits buffers.
    const take = (part: Buffer): void => {
      bytes += part.length
      if (bytes > bytes_max) return settle(() => resolve(false))
      try {
        share.hold(part.length)
        chunks.push(part)
      } catch (error) {
        settle(() => fail(error))
      }
    }
    const end = (): void => settle(() => resolve(true))
    const breakOff = (): void => settle(() => fail(brokenOff()))
    const settle = (act: () => void): void => {
      stopPace()
      raw.pause().off('data', take).off('end', end).off('close', breakOff).off('error', breakOff)
      act()
    }
    raw.on('data', take).once('end', end).once('close', breakOff).on('error', breakOff)
  })
  return isWhole ? Buffer.concat(chunks, bytes) : undefined
}

const brokenOff = (): Refused => new Refused(refusal('BAD_REQUEST'))

/** Calls `onSlow` once fewer bytes have arrived than `bodyPace` demands. Gives a function that ends the check. */
export function keepPace(bytes: () => number, onSlow: () => void): () => void {
  const began = performance.now()
  const left_ms = (): number =>
    began + bodyPace.grace_ms + (bytes() / bodyPace.bytesPerSecond_min) * 1000 - performance.now()
  // Only after what has arrived was read: a process that stood still itself does not call its clients slow.
  const check = (): void => void (reading = setImmediate(judge))
  const judge = (): void => {
    if (left_ms() <= 0) return onSlow()
    timer = setTimeout(check, left_ms())
  }
  let reading: NodeJS.Immediate | undefined
  let timer = setTimeout(check, left_ms())
  return () => {
    clearTimeout(timer)
    clearImmediate(reading)
  }
}

/** Reads the rest of a request that was answered early, for a short while; then closes the connection. */
export function discardRest(raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return
  raw.resume()
  let steps = 0
  const timer = setInterval(() => {
    steps += 1
    if (steps >= discard.steps_max && !raw.complete) raw.destroy()
  }, discard.step_ms)
  raw.once('close', () => clearInterval(timer))
}
