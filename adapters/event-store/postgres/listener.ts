import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Position } from '../../../application/ports/event-store.js'
import type { PostgresConnection } from '../../postgres/database.js'

const reconnect_ms = { min: 50, max: 5000 }
const connectTimeout_ms = 5000
const digits = /^[0-9]{1,19}$/

interface ListenerSettings {
  readonly connection: PostgresConnection
  readonly onPosition: (position: Position) => void
  /** Told of a connection that broke or could not be made; the next try follows by itself. */
  readonly onError: (error: unknown) => void
}

/**
 * Hears, on a connection of its own, of every batch that any process appends. A connection that breaks is made anew, with
 * pauses that double; what is announced meanwhile is lost here and found by the followers' poll.
 */
export function listenForAppends(settings: ListenerSettings): { close(): Promise<void> } {
  const stop = new AbortController()
  const ended = keepListening(settings, stop.signal)
  return {
    async close() {
      stop.abort()
      await ended
    },
  }
}

async function keepListening(settings: ListenerSettings, signal: AbortSignal): Promise<void> {
  let pause_ms = reconnect_ms.min
  while (!signal.aborted) {
    try {
      await listenOnce(settings, signal, () => (pause_ms = reconnect_ms.min))
    } catch (error) {
      settings.onError(error)
      await wait(pause_ms, undefined, { signal }).catch((aborted: unknown) => aborted)
      pause_ms = Math.min(pause_ms * 2, reconnect_ms.max)
    }
  }
}

/** Resolves once the signal aborts; rejects where the connection ends before that. */
async function listenOnce(
  { connection, onPosition, onError }: ListenerSettings,
  signal: AbortSignal,
  onConnected: () => void,
): Promise<void> {
  const client = new pg.Client({ ...connection, keepAlive: true, connectionTimeoutMillis: connectTimeout_ms })
  const over = new AbortController()
  const ended = new Promise<void>((resolve, reject) => {
    client.on('error', reject)
    client.on('end', () => reject(new Error('The connection that listens for appends ended')))
    signal.addEventListener('abort', () => resolve(), { signal: over.signal })
  })
  client.on('notification', ({ payload = '' }) => {
    if (digits.test(payload)) onPosition(BigInt(payload))
  })
  try {
    await Promise.race([connectAndListen(client).then(onConnected), ended])
    await ended
  } finally {
    over.abort()
    await client.end().catch(onError)
  }
}

async function connectAndListen(client: pg.Client): Promise<void> {
  await client.connect()
  await client.query('listen event_store_events')
}
