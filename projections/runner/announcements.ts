import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'
import { audience, isAudienceWord, type Audience } from '../../application/ports/audience.js'
import type { Position } from '../../application/ports/event-store.js'
import { aborted, pause } from './pause.js'

/** The channel on which processes tell each other of their read models' positions, and of tables that were swapped. */
export const channel = 'guildhall_read_models'

const swapped = 'swapped'
const reconnect_ms = 1000
const positionText = z
  .string()
  .regex(/^-?[0-9]+$/)
  .transform(BigInt)

export interface Announcements {
  /**
   * Tells the other processes of a position, where there are any; while one is on its way, only the newest of those that follow
   * is sent. Who comes later is told of the newest.
   */
  announce(position: Position): void
  /** Resolves once the connection is closed. */
  readonly ended: Promise<void>
}

export interface AnnouncementSettings {
  readonly pool: Pool
  readonly onPosition: (position: Position) => void
  /** Called after a swap, and after each connecting: until then nothing was heard. */
  readonly onChange: () => void
  readonly onError: (error: unknown) => void
  readonly signal: AbortSignal
}

/** Listens until the signal aborts, on a connection of its own. What is missed in between is found by polling. */
export function openAnnouncements(settings: AnnouncementSettings): Announcements {
  const { onPosition, onChange, onError, signal } = settings
  const others = audience()
  const outgoing = outgoingTo(others)
  let listening: PoolClient | undefined
  let sending = false

  function hear(payload: string | undefined): void {
    if (payload === swapped) return onChange()
    if (isAudienceWord(payload)) {
      others.noteOther(payload)
      return wake()
    }
    const { data: position } = positionText.safeParse(payload)
    if (position !== undefined) onPosition(position)
  }

  async function listen(client: PoolClient): Promise<void> {
    const lost = new AbortController()
    client.on('error', (error) => lost.abort(error))
    client.on('end', () => lost.abort())
    await client.query(`listen ${channel}`)
    const own = await processIdOf(client)
    client.on('notification', ({ payload, processId }) => {
      if (processId !== own) hear(payload)
    })
    listening = client
    others.askAnew()
    wake()
    onChange()
    await aborted(AbortSignal.any([lost.signal, signal]))
    listening = undefined
  }

  function wake(): void {
    if (listening && !sending) void send(listening)
  }

  async function send(client: PoolClient): Promise<void> {
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
    ended: keepConnected(settings, listen),
  }
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

/** Runs a task on a connection of the pool, and again on the next one when it has ended, until the signal aborts. */
async function keepConnected(
  { pool, onError, signal }: Pick<AnnouncementSettings, 'pool' | 'onError' | 'signal'>,
  task: (client: PoolClient) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const client = await pool.connect()
      await task(client).finally(() => client.release(true))
    } catch (error) {
      onError(error)
    }
    await pause(reconnect_ms, signal)
  }
}

async function processIdOf(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/** Tells all processes, once the transaction of the client commits, that live tables are others now. */
export async function announceSwap(client: Pick<PoolClient, 'query'>): Promise<void> {
  await client.query('select pg_notify($1, $2)', [channel, swapped])
}
