import type { SignalKind, SignalPayload, Signals } from '../../application/ports/signals.ts'
import { decodeSignal, encodeSignal } from './signal-encoding.ts'

type Handler = (payload: SignalPayload) => void

/** Carries signals within one process. As over NATS, they arrive in a later turn of the event loop and as a copy. */
export function inProcessSignals(onError: (error: unknown) => void): Signals {
  const handlers = new Map<SignalKind, Set<Handler>>()
  const handlersOf = (kind: SignalKind): Set<Handler> => {
    const known = handlers.get(kind) ?? new Set()
    handlers.set(kind, known)
    return known
  }
  const hand = (kind: SignalKind, bytes: Uint8Array): void => {
    for (const handle of handlersOf(kind)) {
      try {
        handle(decodeSignal(bytes))
      } catch (error) {
        onError(error)
      }
    }
  }
  return {
    publish(kind, payload) {
      const bytes = encodeSignal(kind, payload)
      setImmediate(() => hand(kind, bytes))
    },
    isConnected: () => true,
    subscribe(kind, handle) {
      const one: Handler = (payload) => handle(payload)
      handlersOf(kind).add(one)
      return () => void handlersOf(kind).delete(one)
    },
  }
}
