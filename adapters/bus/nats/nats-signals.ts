import type { NatsConnection } from '@nats-io/transport-node'
import type { SignalKind, Signals } from '../../../application/ports/signals.ts'
import { decodeSignal, encodeSignal } from '../signal-encoding.ts'

export interface NatsSignalsSettings {
  readonly connection: NatsConnection
  readonly onError: (error: unknown) => void
}

/** Not below `guildhall.`, because the stream keeps those messages. */
const subjectOf = (kind: SignalKind): string => `guildhall_signals.${kind}`

/**
 * Signals over core NATS. A signal that is published while no server can be reached is lost: it would arrive too late to
 * matter.
 */
export function natsSignals({ connection, onError }: NatsSignalsSettings): Signals {
  let isConnected = true
  void (async () => {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') isConnected = false
      if (type === 'reconnect') isConnected = true
    }
  })().catch(onError)
  const reaches = (): boolean => isConnected && !connection.isClosed() && !connection.isDraining()
  return {
    isConnected: reaches,
    publish(kind, payload) {
      const bytes = encodeSignal(kind, payload)
      if (reaches()) connection.publish(subjectOf(kind), bytes)
    },
    subscribe(kind, handle) {
      const subscription = connection.subscribe(subjectOf(kind), {
        callback: (error, message) => {
          try {
            if (error) throw error
            handle(decodeSignal(message.data))
          } catch (failure) {
            onError(failure)
          }
        },
      })
      return () => subscription.unsubscribe()
    },
  }
}
