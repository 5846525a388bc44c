import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { pause } from '../../application/waiting/waiting.js'
import type { PostgresConnection } from './database.js'
import { orPostgresUnavailable } from './postgres-unavailable.js'

const reconnect_ms = { min: 50, max: 5000 }
const connectTimeout_ms = 5000
/** A server that hangs is not waited for to say goodbye. */
const goodbye_ms_max = 1000

export interface ListenerSettings {
  readonly connection: PostgresConnection
  /** An SQL name in lower case. */
  readonly channel: string
  /** With the process id of the connection that told it. */
  readonly onPayload: (payload: string, from: number) => void
  /** Told each time that it begins to listen. */
  readonly onListening?: () => void
  /** Told of a connection that broke or could not be made; the next try follows by itself. */
  readonly onError: (error: unknown) => void
}

/**
 * Hears, on a connection of its own, what any process tells on a channel of Postgres. A connection that breaks is made anew,
 * with pauses that double; what is told meanwhile is lost here: whoever listens must look for itself now and then.
 */
export function listenOn(settings: ListenerSettings): { close(): Promise<void> } {
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
      await listenOnce(settings, signal, () => {
        pause_ms = reconnect_ms.min
        settings.onListening?.()
      })
    } catch (error) {
      settings.onError(orPostgresUnavailable(error))
      await wait(pause_ms, undefined, { signal }).catch((aborted: unknown) => aborted)
      pause_ms = Math.min(pause_ms * 2, reconnect_ms.max)
    }
  }
}

/** Resolves once the signal aborts; rejects where the connection ends before that. */
async function listenOnce(
  { connection, channel, onPayload, onError }: ListenerSettings,
  signal: AbortSignal,
  onConnected: () => void,
): Promise<void> {
  const client = new pg.Client({ ...connection, keepAlive: true, connectionTimeoutMillis: connectTimeout_ms })
  const over = new AbortController()
  const ended = new Promise<void>((resolve, reject) => {
    client.on('error', reject)
    client.on('end', () => reject(new Error(`The connection that listens on ${channel} ended`)))
    signal.addEventListener('abort', () => resolve(), { signal: over.signal })
  })
  client.on('notification', ({ payload = '', processId }) => {
    onPayload(payload, processId)
  })
  try {
    await Promise.race([connectAndListen(client, channel).then(onConnected), ended])
    await ended
  } finally {
    over.abort()
    await goodbye(client).catch(onError)
  }
}

async function goodbye(client: pg.Client): Promise<void> {
  const over = new AbortController()
  await Promise.race([client.end(), pause(goodbye_ms_max, over.signal)])
  over.abort()
}

async function connectAndListen(client: pg.Client, channel: string): Promise<void> {
  await client.connect()
  await client.query(`listen ${channel}`)
}
