/**
 * What processes tell each other that is not history: who is online, which session ended or asks for another. Heard by those who
 * listen at the moment, at most once, in no promised order, and by nobody else ever.
 */
export interface Signals {
  /** Throws SignalTooLarge; else it never tells whether anyone heard. */
  publish(kind: SignalKind, payload: SignalPayload): void
  /** Calls `handle` for each signal of a kind, those of this process too, until the returned function is called. */
  subscribe(kind: SignalKind, handle: (payload: SignalPayload) => void): () => void
}

export const signalKinds = ['presence', 'session'] as const
export type SignalKind = (typeof signalKinds)[number]

/** A JSON object. Who listens parses it: it comes from another process, of another version perhaps. */
export type SignalPayload = Readonly<Record<string, unknown>>

export const signalBytes_max = 16_384

export class SignalTooLarge extends Error {
  override readonly name = 'SignalTooLarge'
}

/** The JSON text of a payload. Throws SignalTooLarge. */
export function encodeSignal(kind: SignalKind, payload: SignalPayload): Uint8Array {
  const bytes = Buffer.from(JSON.stringify(payload), 'utf8')
  if (bytes.byteLength <= signalBytes_max) return bytes
  throw new SignalTooLarge(`A ${kind} signal has ${bytes.byteLength} bytes, more than ${signalBytes_max}`)
}

/** The payload of a JSON text. Throws where it is not a JSON object. */
export function decodeSignal(bytes: Uint8Array): SignalPayload {
  const payload: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
  if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return { ...payload }
  throw new Error('A signal is not a JSON object')
}
