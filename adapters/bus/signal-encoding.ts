import type { SignalKind, SignalPayload } from '../../application/ports/signals.ts'
import { SignalTooLarge } from '../../application/failures/signal-too-large.ts'

/** The largest payload of a signal, as JSON text. */
export const signalBytes_max = 16_384

/** The JSON text of a payload. Throws SignalTooLarge. */
export function encodeSignal(kind: SignalKind, payload: SignalPayload): Uint8Array {
  const bytes = Buffer.from(JSON.stringify(payload), 'utf8')
  if (bytes.byteLength <= signalBytes_max) return bytes
  throw new SignalTooLarge(`A ${kind} signal has ${bytes.byteLength} bytes, more than ${signalBytes_max}`)
}

/** Reads a payload from its JSON text. Throws if that is not a JSON object. */
export function decodeSignal(bytes: Uint8Array): SignalPayload {
  const payload: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
  if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return { ...payload }
  throw new Error('A signal is not a JSON object')
}
