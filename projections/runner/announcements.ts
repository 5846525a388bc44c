import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'
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
  /** Tells the other processes of a position; while one is on its way, only the newest of those that follow is sent. */
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
  const { pool, onPosition, onChange, onError, signal } = settings
  let listening: PoolClient | undefined
  let sending = false
  let newest: Position | undefined

  function hear(payload: string | undefined): void {
    if (payload === swapped) return onChange()
    const { data: position } = positionText.safeParse(payload)
    if (position !== undefined) onPosition(position)
  }

  async function listen(client: PoolClient): Promise<void> {
    const lost = new AbortController()
    client.on('error', (error) => lost.abort(error))
    client.on('end', () => lost.abort())
    client.on('notification', ({ payload }) => hear(payload))
    await client.query(`listen ${channel}`)
    listening = client
    onChange()
    await aborted(AbortSignal.any([lost.signal, signal]))
    listening = undefined
  }

  async function keepListening(): Promise<void> {
    while (!signal.aborted) {
      try {
        const client = await pool.connect()
        await listen(client).finally(() => client.release(true))
      } catch (error) {
        onError(error)
      }
      await pause(reconnect_ms, signal)
    }
  }

  async function send(client: PoolClient): Promise<void> {
    sending = true
    try {
      while (newest !== undefined) {
        const values = [channel, newest.toString()]
        newest = undefined
        await client.query({ name: 'announce', text: 'select pg_notify($1, $2)', values })
      }
    } catch (error) {
      if (!signal.aborted) onError(error)
    } finally {
      sending = false
    }
  }

  return {
    announce(position) {
      newest = position
      if (listening && !sending) void send(listening)
    },
    ended: keepListening(),
  }
}

/** Tells all processes, once the transaction of the client commits, that live tables are others now. */
export async function announceSwap(client: Pick<PoolClient, 'query'>): Promise<void> {
  await client.query('select pg_notify($1, $2)', [channel, swapped])
}
