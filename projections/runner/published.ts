import type { Pool } from 'pg'
import { z } from 'zod'
import type { Position } from '../../application/ports/event-store.js'
import { ReadModelsBehind, readModelWait_ms_max } from '../../application/ports/read-models.js'
import { openAnnouncements } from './announcements.js'
import { progress } from './progress.js'
import type { Projection } from './projection.js'
import { liveCheckpoints, locks, positionOf } from './registry.js'

export interface PublishedSettings {
  /** One of its connections is held. */
  readonly pool: Pool
  readonly projections: readonly Projection[]
  /** Called with every error. Listening continues. */
  readonly onError: (error: unknown) => void
}

/** Tells a process beside a server what that server has already processed. */
export interface PublishedPositions {
  /** Whether some process projects right now. */
  isLed(): Promise<boolean>
  /**
   * Resolves with true once the read models hold all events up to a position and the projecting process has published them, and
   * with false if that takes longer than `readModelWait_ms_max`. The caller must already listen when the events are written.
   */
  reached(position: Position): Promise<boolean>
  close(): Promise<void>
}

/**
 * Listens to how far the projecting process has published. That process announces a position only after its caches have
 * received the events. So the announcement comes later than the checkpoints; when a request sees only the checkpoints, it may
 * still meet old cache entries. Resolves once it listens.
 */
export async function hearPublished({ pool, projections, onError }: PublishedSettings): Promise<PublishedPositions> {
  const stopping = new AbortController()
  const known = progress(() => undefined)
  let nowListening = (): void => undefined
  const listening = new Promise<void>((resolve) => {
    nowListening = resolve
  })
  const announcements = openAnnouncements({
    pool,
    onPosition: (position) => {
      known.note(position)
    },
    onChange: nowListening,
    onError: (error) => {
      nowListening()
      onError(error)
    },
    signal: stopping.signal,
  })
  await listening

  /** An announcement is lost while the projecting process reconnects. In the end the checkpoints decide. */
  async function isHeld(position: Position): Promise<boolean> {
    return positionOf(await liveCheckpoints(pool), projections) >= position
  }

  return {
    isLed: () => isLed(pool),
    async reached(position) {
      try {
        await known.reached(position)
        return true
      } catch (error) {
        if (!(error instanceof ReadModelsBehind)) throw error
        return isHeld(position)
      }
    },
    async close() {
      stopping.abort()
      await announcements.ended
      known.close()
    },
  }
}

const ledRow = z.object({ led: z.boolean() })

async function isLed(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query(
    `select exists (select from pg_locks
      where locktype = 'advisory' and granted and objsubid = 2 and classid::int8 = $1 and objid::int8 = $2
        and database = (select oid from pg_database where datname = current_database())) as led`,
    [locks.class, locks.leading],
  )
  return ledRow.parse(rows[0]).led
}

/** The time limit of `reached`, in seconds. */
export const publishedWait_s_max = readModelWait_ms_max / 1000
