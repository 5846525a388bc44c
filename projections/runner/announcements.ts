import type { ClientBase, Pool, PoolClient } from 'pg'
import { z } from 'zod'
import { listenOn } from '../../application/concurrency/listener.js'
import { aborted } from '../../application/concurrency/pauses.js'
import type { Position } from '../../application/ports/event-store.js'
import { iListen, isOlderQuestion } from '../../application/ports/older-processes.js'

/** The channel on which processes tell each other the positions of their read models, and of swapped tables. */
export const channel = 'guildhall_read_models'

const swapped = 'swapped'
const positionText = z
  .string()
  .regex(/^-?[0-9]+$/)
  .transform(BigInt)

export interface Announcements {
  /** Sends a position to the other processes. While one is on its way, only the newest of the following positions is sent. */
  announce(position: Position): void
  /** Resolves once the connection is closed. */
  readonly ended: Promise<void>
}

export interface AnnouncementSettings {
  readonly pool: Pool
  readonly onPosition: (position: Position) => void
  /** Called after a swap, and after each new connection, because nothing was heard before it. */
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
  readonly signal: AbortSignal
}

/** Listens until the signal aborts, on a connection of its own. Polling finds what is missed in between. */
export function openAnnouncements(settings: AnnouncementSettings): Announcements {
  const { pool, onPosition, onChange, onError, signal } = settings
  const outgoing = new Map<'greeting' | 'position', string>()
  let listening: ClientBase | undefined
  let sending = false

  function hear(payload: string): void {
    if (payload === swapped) return onChange()
    if (isOlderQuestion(payload)) return put('greeting', iListen)
    const { data: position } = positionText.safeParse(payload)
    if (position !== undefined) onPosition(position)
  }

  function put(what: 'greeting' | 'position', text: string): void {
    outgoing.set(what, text)
    if (listening && !sending) void send(listening)
  }

  const listener = listenOn({
    channel,
    connect: () => pool.connect(),
    disconnect: (client) => client.release(true),
    onPayload: (payload, from) => {
      if (listening === undefined || from !== processIdOf(listening)) hear(payload)
    },
    onListening: (client) => {
      listening = client
      put('greeting', iListen)
      onChange()
    },
    onSilence: () => (listening = undefined),
    onError,
  })

  async function send(client: ClientBase): Promise<void> {
    sending = true
    try {
      for (const [what, text] of outgoing) {
        outgoing.delete(what)
        await client.query({ name: 'announce', text: 'select pg_notify($1, $2)', values: [channel, text] })
      }
    } catch (error) {
      if (!signal.aborted) onError(error)
    } finally {
      sending = false
    }
  }

  return {
    announce: (position) => put('position', position.toString()),
    ended: aborted(signal).then(() => listener.close()),
  }
}

/** As notifications have it. */
function processIdOf(client: ClientBase): unknown {
  return 'processID' in client ? client.processID : undefined
}

/** Tells all processes, when the client's transaction commits, that the live tables were replaced. */
export async function announceSwap(client: Pick<PoolClient, 'query'>): Promise<void> {
  await client.query('select pg_notify($1, $2)', [channel, swapped])
}
