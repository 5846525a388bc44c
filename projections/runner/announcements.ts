import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'
import type { Position } from '../../application/ports/event-store.js'
import { iListen, whoListens, wordsToOthers } from './audience.js'
import { aborted, pause } from './pause.js'

/** The channel on which processes tell each other the positions of their read models, and of swapped tables. */
export const channel = 'guildhall_read_models'

const swapped = 'swapped'
const reconnect_ms = 1000
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
  const { onPosition, onChange, onError, signal } = settings
  const words = wordsToOthers()
  let listening: PoolClient | undefined
  let sending = false

  function hear(payload: string | undefined): void {
    if (payload === swapped) return onChange()
    if (payload === whoListens || payload === iListen) {
      words.noteOther(payload)
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
    words.askAnew()
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
      for (let text = words.next(); text !== undefined; text = words.next())
        await client.query({ name: 'announce', text: 'select pg_notify($1, $2)', values: [channel, text] })
    } catch (error) {
      if (!signal.aborted) onError(error)
    } finally {
      sending = false
    }
  }

  return {
    announce(position) {
      words.announce(position)
      wake()
    },
    ended: keepConnected(settings, listen),
  }
}

/** Runs a task on a connection of the pool, and again on a new one when that has ended, until the signal aborts. */
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

/** Tells all processes, when the client's transaction commits, that the live tables were replaced. */
export async function announceSwap(client: Pick<PoolClient, 'query'>): Promise<void> {
  await client.query('select pg_notify($1, $2)', [channel, swapped])
}
