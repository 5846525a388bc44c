/**
 * What processes tell each other that is not history: who is online now, and in which sessions; which session takes the place
 * of another; whose settings are to be told again. Messages and typing when they come. Heard by those who
 * listen at the moment, at most once, in no promised order, and by nobody else ever.
 */
export interface Signals {
  /** Throws SignalTooLarge; else it never tells whether anyone heard. */
  publish(kind: SignalKind, payload: SignalPayload): void
  /**
   * Calls `handle` for each signal of a kind, those of this process too, until the returned function is called. What `handle`
   * throws is reported, and the signal dropped.
   */
  subscribe(kind: SignalKind, handle: (payload: SignalPayload) => void): () => void
  /** Whether other processes can be reached at this moment. */
  isConnected(): boolean
}

export type SignalKind = 'presence' | 'handover' | 'settings'

/** A JSON object. Who listens parses it: it comes from another process, of another version perhaps. */
export type SignalPayload = Readonly<Record<string, unknown>>

/** A payload as JSON text. */
export const signalBytes_max = 16_384

export class SignalTooLarge extends Error {
  override readonly name = 'SignalTooLarge'
}
