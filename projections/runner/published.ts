import type { Pool } from 'pg'
import { z } from 'zod'
import { unlessLate } from '../../application/concurrency/pauses.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { Notifier } from '../../application/ports/notifier.ts'
import { ReadModelsBehind } from '../../application/failures/read-models-behind.ts'
import { openAnnouncements } from './announcements.ts'
import { progress, readModelWait_ms_max } from './progress.ts'
import type { Projection } from './projection.ts'
import { liveCheckpoints, locks, positionOf } from './registry.ts'

export interface PublishedSettings {
  readonly pool: Pool
  /** Carries positions between processes. */
  readonly notifier: Notifier
  readonly projections: readonly Projection[]
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
  close(): void
}

/**
 * Listens to how far the projecting process has published. That process announces a position only after its caches have
 * received the events. So the announcement comes later than the checkpoints; when a request sees only the checkpoints, it may
 * still meet old cache entries. Resolves once it listens, or after `listening_ms_max`.
 */
export async function hearPublished({ pool, notifier, projections }: PublishedSettings): Promise<PublishedPositions> {
  const known = progress(() => undefined)
  let nowListening = (): void => undefined
  const listening = new Promise<void>((resolve) => {
    nowListening = resolve
  })
  const announcements = openAnnouncements({
    notifier,
    onPosition: (position) => known.note(position),
    onChange: () => nowListening(),
  })
  await unlessLate(listening, listening_ms_max)

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
    close() {
      announcements.close()
      known.close()
    },
  }
}

/** The checkpoints tell what is not heard. */
const listening_ms_max = 5000

const ledRow = z.object({ led: z.boolean() })

async function isLed(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query(
    `select exists (select from pg_locks
      where locktype = 'advisory' and granted and objsubid = 2 and classid::int8 = $1 and objid::int8 = $2
        and database = (select oid from pg_database where datname = current_database())) as led`,
    [...locks.leading],
  )
  return ledRow.parse(rows[0]).led
}

/** The time limit of `reached`, in seconds. */
export const publishedWait_s_max = readModelWait_ms_max / 1000
