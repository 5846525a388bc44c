import type { ClientBase } from 'pg'
import { pause, unlessAborted, unlessLate } from './pauses.js'

const reconnect_ms = { min: 50, max: 1000 }
/** A server that hangs is not waited for to say goodbye. */
const goodbye_ms_max = 1000

export interface ListenerSettings<Client extends ClientBase> {
  /** An SQL name in lower case. */
  readonly channel: string
  /** Makes a connection that nobody else uses. */
  readonly connect: () => Promise<Client>
  readonly disconnect: (client: Client) => Promise<void> | void
  /** With the process id of the connection that told it. */
  readonly onPayload: (payload: string, from: number) => void
  /** Called with each connection that has begun to listen: nothing was heard before. */
  readonly onListening?: (client: Client) => void
  /** Called when that connection listens no more. */
  readonly onSilence?: () => void
  /** Called with each connection that broke or could not be made. The next try follows by itself. */
  readonly onError: (error: unknown) => void
}

export interface Listener {
  close(): Promise<void>
}

/**
 * Hears, on a connection of its own, what any process tells on a channel of Postgres. A connection that breaks is made anew,
 * with pauses that double; what is told meanwhile is lost here: whoever listens must look for itself now and then.
 */
export function listenOn<Client extends ClientBase>(settings: ListenerSettings<Client>): Listener {
  const stop = new AbortController()
  const ended = keepListening(settings, stop.signal)
  return {
    async close() {
      stop.abort()
      await ended
    },
  }
}

async function keepListening<Client extends ClientBase>(
  settings: ListenerSettings<Client>,
  signal: AbortSignal,
): Promise<void> {
  let pause_ms = reconnect_ms.min
  while (!signal.aborted) {
    try {
      await listenOnce(settings, signal, () => (pause_ms = reconnect_ms.min))
    } catch (error) {
      settings.onError(error)
      await pause(pause_ms, signal)
      pause_ms = Math.min(pause_ms * 2, reconnect_ms.max)
    }
  }
}

/** Resolves once the signal aborts; rejects where the connection can't be made, or ends before that. */
async function listenOnce<Client extends ClientBase>(
  settings: ListenerSettings<Client>,
  signal: AbortSignal,
  onConnected: () => void,
): Promise<void> {
  const connecting = settings.connect()
  try {
    await unlessAborted(
      connecting.then((client) => listenWith(client, settings, signal, onConnected)),
      signal,
    )
  } finally {
    await goodbye(connecting, settings)
  }
}

/** Rejects once the connection ends. */
async function listenWith<Client extends ClientBase>(
  client: Client,
  { channel, onPayload, onListening, onSilence }: ListenerSettings<Client>,
  signal: AbortSignal,
  onConnected: () => void,
): Promise<void> {
  const lost = new Promise<never>((_, reject) => {
    client.on('error', reject)
    client.on('end', () => reject(new Error(`Connection terminated: it listened on ${channel}`)))
  })
  client.on('notification', ({ payload = '', processId }) => {
    onPayload(payload, processId)
  })
  await Promise.race([client.query(`listen ${channel}`), lost])
  if (signal.aborted) return
  onConnected()
  onListening?.(client)
  try {
    await unlessAborted(lost, signal)
  } finally {
    onSilence?.()
  }
}

/** Also of a connection that was still being made. */
async function goodbye<Client>(
  connecting: Promise<Client>,
  {
    disconnect,
    onError,
  }: Pick<ListenerSettings<Client & ClientBase>, 'onError'> & {
    readonly disconnect: (client: Client) => Promise<void> | void
  },
): Promise<void> {
  await unlessLate(connecting.then(disconnect, () => undefined).catch(onError), goodbye_ms_max)
}
