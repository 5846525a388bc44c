import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { pause } from '../../application/waiting/waiting.js'
import type { PostgresConnection } from './database.js'
import { orPostgresUnavailable } from './postgres-unavailable.js'

const reconnect_ms = { min: 50, max: 5000 }
const connectTimeout_ms = 5000
/** How long closing waits for a server that hangs. */
const goodbye_ms_max = 1000

export interface ListenerSettings {
  readonly connection: PostgresConnection
  /** An SQL name in lower case. */
  readonly channel: string
  /** Called with the payload and the process id of the connection that sent it. */
  readonly onPayload: (payload: string, from: number) => void
  /** Called for a connection that broke or could not be made. The next try follows by itself. */
  readonly onError: (error: unknown) => void
}

/**
 * Listens, on a connection of its own, to a Postgres channel. A connection that breaks is remade, with pauses that double.
 * Notifications in between are lost: the caller must also poll now and then.
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
      await listenOnce(settings, signal, () => (pause_ms = reconnect_ms.min))
    } catch (error) {
      settings.onError(orPostgresUnavailable(error))
      await wait(pause_ms, undefined, { signal }).catch((aborted: unknown) => aborted)
      pause_ms = Math.min(pause_ms * 2, reconnect_ms.max)
    }
  }
}

/** Resolves once the signal aborts; rejects if the connection ends before that. */
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
