/**
 * What processes tell each other that is not history: who is online now, and in which sessions; which session replaces another;
 * which account or whose settings to send again; who is writing a message. Delivered at most once, in no guaranteed order, and only to those who listen at that moment.
 */
export interface Signals {
  /** Throws SignalTooLarge. Otherwise it does not tell whether anyone received the signal. */
  publish(kind: SignalKind, payload: SignalPayload): void
  /**
   * Calls `handle` for each signal of a kind, including those of this process, until the returned function is called. Errors of
   * `handle` are reported, and the signal is dropped.
   */
  subscribe(kind: SignalKind, handle: (payload: SignalPayload) => void): () => void
  /** Whether other processes can be reached now. */
  isConnected(): boolean
}

export type SignalKind = 'presence' | 'handover' | 'settings' | 'typing'

/** A JSON object. The listener parses it: it comes from another process, perhaps of another version. */
export type SignalPayload = Readonly<Record<string, unknown>>
