import type { IncomingMessage } from 'node:http'
import { reject } from '../../../../application/commands/refused.js'

export const bodyBytes_max = 1024 * 1024
export const imageBodyBytes_max = 16 * 1024 * 1024
/** What all requests together may hold of bodies. */
export const heldBytes_max = 256 * 1024 * 1024
/** How long the rest of a body that nobody wants is read and thrown away, so that the client comes to read its answer. */
const discard_ms_max = 2000

/** The room that one request's body takes, from when it is read until the request is done. */
export interface BodyRoom {
  /** 503 SERVICE_UNAVAILABLE where all requests together hold too much already. */
  take(bytes: number): void
  /** Gives back what was taken. */
  free(): void
}

/** Makes the rooms of all requests out of one budget. */
export function bodyRooms(bytes_max = heldBytes_max): () => BodyRoom {
  let held = 0
  return () => {
    let own = 0
    return {
      take(bytes) {
        if (held + bytes > bytes_max) reject('SERVICE_UNAVAILABLE')
        held += bytes
        own += bytes
      },
      free() {
        held -= own
        own = 0
      },
    }
  }
}

/**
 * Reads a body of at most `bytes_max`. A longer one, by its Content-Length or by what came of it, gives undefined, and no more
 * of it is held in memory. Refuses with SERVICE_UNAVAILABLE where there is no room, and with BAD_REQUEST, which nobody reads,
 * where the client goes away.
 */
export async function readBody(raw: IncomingMessage, bytes_max: number, room: BodyRoom): Promise<Buffer | undefined> {
  const { 'content-length': length, 'transfer-encoding': coding } = raw.headers
  if (Number(length ?? 0) > bytes_max) return undefined
  const chunks: Buffer[] = []
  if (coding === undefined && (length === undefined || length === '0')) return Buffer.concat(chunks)
  let bytes = 0
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
      // A request without an encoding gives buffers.
      const part = chunk as Buffer
      bytes += part.length
      if (bytes > bytes_max) return undefined
      room.take(part.length)
      chunks.push(part)
    }
  } catch (error) {
    if (raw.destroyed && !raw.complete) return reject('BAD_REQUEST')
    throw error
  }
  return Buffer.concat(chunks, bytes)
}

/** Reads what is left of a request that was answered before its end, for a short while; then the connection goes. */
export function discardRest(raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return
  raw.resume()
  const timer = setTimeout(() => {
    if (!raw.complete) raw.destroy()
  }, discard_ms_max)
  raw.once('close', () => {
    clearTimeout(timer)
  })
}
