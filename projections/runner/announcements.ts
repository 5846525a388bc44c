import type { ClientBase, Pool, PoolClient } from 'pg'
import { z } from 'zod'
import { listenOn } from '../../application/concurrency/listener.js'
import { aborted } from '../../application/concurrency/pauses.js'
import { audience, isAudienceWord, type Audience } from '../../application/ports/audience.js'
import type { Position } from '../../application/ports/event-store.js'

/** The channel on which processes tell each other the positions of their read models, and of swapped tables. */
export const channel = 'guildhall_read_models'

const swapped = 'swapped'
const positionText = z
  .string()
  .regex(/^-?[0-9]+$/)
  .transform(BigInt)

export interface Announcements {
  /**
   * Sends a position to the other processes, if there are any. While one is on its way, only the newest of the following
   * positions is sent. Processes that start to listen later get the newest position.
   */
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
  const others = audience()
  const outgoing = outgoingTo(others)
  let listening: ClientBase | undefined
  let sending = false

  function hear(payload: string): void {
    if (payload === swapped) return onChange()
    if (isAudienceWord(payload)) {
      others.noteOther(payload)
      return wake()
    }
    const { data: position } = positionText.safeParse(payload)
    if (position !== undefined) onPosition(position)
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
      others.askAnew()
      wake()
      onChange()
    },
    onSilence: () => (listening = undefined),
    onError,
  })

  function wake(): void {
    if (listening && !sending) void send(listening)
  }

  async function send(client: ClientBase): Promise<void> {
    sending = true
    try {
      for (let text = outgoing.next(); text !== undefined; text = outgoing.next())
        await client.query({ name: 'announce', text: 'select pg_notify($1, $2)', values: [channel, text] })
    } catch (error) {
      if (!signal.aborted) onError(error)
    } finally {
      sending = false
    }
  }

  return {
    announce(position) {
      outgoing.put(position)
      wake()
    },
    ended: aborted(signal).then(() => listener.close()),
  }
}

/** As notifications have it. */
function processIdOf(client: ClientBase): unknown {
  return 'processID' in client ? client.processID : undefined
}

/** What a process has to tell: of positions only the newest, once somebody else is known to listen. */
function outgoingTo(others: Audience) {
  let newest: Position | undefined
  return {
    put(position: Position): void {
      newest = position
    },
    next(): string | undefined {
      const isHeard = others.isKnown()
      const word = others.nextWord()
      if (word !== undefined || newest === undefined || !isHeard) return word
      const text = newest.toString()
      newest = undefined
      return text
    },
  }
}

/** Tells all processes, when the client's transaction commits, that the live tables were replaced. */
export async function announceSwap(client: Pick<PoolClient, 'query'>): Promise<void> {
  await client.query('select pg_notify($1, $2)', [channel, swapped])
}
