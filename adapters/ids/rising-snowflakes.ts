import { z } from 'zod'
import { sql } from '../../application/sql/sql.ts'
import { snowflakeMs, type Snowflake } from '../../domain/ids/snowflake.ts'
import type { PostgresDatabase } from '../postgres/database.ts'
import { snowflakeGenerator, type SnowflakeGenerator } from './snowflake-generator.ts'

export interface RisingSettings {
  readonly database: PostgresDatabase
  readonly workerId: () => number
  /** The highest ids found elsewhere: in messages and in the read models. */
  readonly known: readonly Snowflake[]
  /**
   * Called when the clock falls behind the highest id by more than `behind_ms_max`, with the difference in milliseconds; again
   * only after it has caught up in between. New ids stay above the highest one until the clock has caught up.
   */
  readonly onBehind: (behind_ms: number) => void
  /** Called when the highest id could not be noted. The next note follows as usual. */
  readonly onError: (error: unknown) => void
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number
}

export interface RisingSnowflakes {
  readonly snowflakes: SnowflakeGenerator
  /** Notes the highest id one last time. Never rejects. */
  close(): Promise<void>
}

export const noteEvery_ms = 1000
export const behind_ms_max = 60_000
/** How far ids may be above the last note of a process that died: what a process makes between two late notes. */
const unnoted_ms = 5000

const nothing = z.object({})
const msRow = z.object({ ms: z.coerce.number() })

/**
 * A generator of ids that are higher than all earlier ids of any process, even after a restart with a clock that was set back,
 * because ids order messages. The highest id is noted in Postgres each second.
 */
export async function openRisingSnowflakes(settings: RisingSettings): Promise<RisingSnowflakes> {
  const { database, workerId, known, onError, now = Date.now } = settings
  const noted = await database.maybeOne(sql.type(msRow)`select ms from ids.highest`)
  const highest_ms = Math.max(noted?.ms ?? 0, ...known.map(snowflakeMs))
  // A correct clock is past the noted id, and past the ids that were not noted.
  const after_ms = now() < highest_ms ? highest_ms + unnoted_ms : highest_ms
  const snowflakes = snowflakeGenerator({ workerId, now, after_ms })
  const watch = watchClock(settings, () => snowflakes.highest_ms)
  watch()
  let written_ms = 0
  const note = async (): Promise<void> => {
    const { highest_ms: ms } = snowflakes
    if (ms <= written_ms) return
    await database.any(sql.type(nothing)`
      insert into ids.highest as kept (ms) values (${ms}) on conflict (only_row) do update set ms = excluded.ms
      where kept.ms < excluded.ms`)
    written_ms = ms
  }
  const timer = setInterval(() => {
    watch()
    void note().catch(onError)
  }, noteEvery_ms).unref()
  return {
    snowflakes,
    close: () => {
      clearInterval(timer)
      return note().catch(onError)
    },
  }
}

function watchClock({ onBehind, now = Date.now }: RisingSettings, highest_ms: () => number): () => void {
  let wasBehind = false
  return () => {
    const behind_ms = highest_ms() - now()
    const isBehind = behind_ms > behind_ms_max
    if (isBehind && !wasBehind) onBehind(behind_ms)
    wasBehind = isBehind
  }
}
