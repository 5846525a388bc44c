import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { sql } from '../../application/sql/sql.ts'
import type { SessionActivity } from '../../application/ports/session-activity.ts'
import { growsTo } from '../../domain/kernel/grows-to.ts'
import { timestamp, type Timestamp } from '../../domain/kernel/timestamp.ts'
import type { PostgresDatabase } from '../postgres/database.ts'

/** The recorded times are off by at most this much, and by one more `flushEvery_ms` when a process dies. */
export const activityGrain_ms = 5 * 60_000

export interface PostgresSessionActivitySettings {
  readonly database: PostgresDatabase
  /** Called for writes that fail. Their notes are written with the next batch. */
  readonly onError?: (error: unknown) => void
  /** Milliseconds since the Unix epoch; for tests. */
  readonly now_ms?: () => number
}

export type PostgresSessionActivity = SessionActivity & {
  /** Writes the notes made since the last flush. */
  flush(): Promise<void>
  /** Writes the remaining notes, and stops. */
  close(): Promise<void>
}

export const flushEvery_ms = 60_000
/** The most notes that wait to be written. Further sessions are not noted until the next flush. */
export const waitingNotes_max = 50_000
/** The number of sessions whose last note is remembered. */
const rememberedNotes_max = 50_000
/** A session that was not used for this long starts as new again. */
const noteLife_days = 400
const sweepRows_max = 10_000

const ended = 'ended'
/** By session: when it was used, in milliseconds since the Unix epoch, or that it has ended. */
type Notes = Map<string, number | typeof ended>

const activityRow = z.object({ token_hash: z.string(), last_used_at: z.string() })
const nothing = z.object({})

/** Notes in the schema `session_activity`. They are gathered in memory and written once a minute, all in one statement. */
export function openPostgresSessionActivity(settings: PostgresSessionActivitySettings): PostgresSessionActivity {
  const { database, onError = () => undefined, now_ms = Date.now } = settings
  const noted = new LRUCache<string, number>(growsTo(rememberedNotes_max))
  const waiting: Notes = new Map()
  const flush = async (): Promise<void> => {
    const notes: Notes = new Map(waiting)
    waiting.clear()
    try {
      await write(database, notes)
    } catch (error) {
      // Notes made meanwhile are newer.
      for (const [session, note] of notes)
        if (!waiting.has(session) && waiting.size < waitingNotes_max) waiting.set(session, note)
      throw error
    }
  }
  const timer = setInterval(() => void flush().catch(onError), flushEvery_ms).unref()
  return {
    note(session) {
      const now = now_ms()
      if (now - (noted.get(session) ?? 0) < activityGrain_ms || waiting.size >= waitingNotes_max) return
      noted.set(session, now)
      if (waiting.get(session) !== ended) waiting.set(session, now)
    },
    forget(session) {
      noted.delete(session)
      if (waiting.has(session) || waiting.size < waitingNotes_max) waiting.set(session, ended)
    },
    lastUsed: async (sessions) => new Map([...(await read(database, sessions)), ...notedOf(waiting, sessions)]),
    flush,
    async close() {
      clearInterval(timer)
      await flush().catch(onError)
    },
  }
}

async function write(database: PostgresDatabase, notes: Notes): Promise<void> {
  const endedOnes = [...notes].filter(([, note]) => note === ended).map(([session]) => session)
  const used = [...notes].flatMap(([session, note]) => (note === ended ? [] : [{ session, at: timestamp(note) }]))
  const sessions = used.map(({ session }) => session)
  const instants = used.map(({ at }) => at)
  // In the order of their keys, so that several processes never deadlock.
  if (used.length > 0)
    await database.any(sql.type(nothing)`
      insert into session_activity.sessions (token_hash, last_used_at)
      select token_hash, at::timestamptz
      from unnest(${sql.array(sessions, 'text')}, ${sql.array(instants, 'text')}) as used (token_hash, at)
      order by token_hash
      on conflict (token_hash) do update
        set last_used_at = greatest(session_activity.sessions.last_used_at, excluded.last_used_at)`)
  if (endedOnes.length > 0)
    await database.any(sql.type(nothing)`
      delete from session_activity.sessions where token_hash = any(${sql.array(endedOnes, 'text')})`)
  await database.any(sql.type(nothing)`
    delete from session_activity.sessions where token_hash in (
      select token_hash from session_activity.sessions
      where last_used_at < now() - make_interval(days => ${noteLife_days})
      order by last_used_at limit ${sweepRows_max} for update skip locked)`)
}

async function read(
  database: PostgresDatabase,
  sessions: readonly string[],
): Promise<readonly (readonly [string, Timestamp])[]> {
  const rows = await database.any(sql.type(activityRow)`
    select token_hash, last_used_at from session_activity.sessions
    where token_hash = any(${sql.array([...sessions], 'text')})`)
  return rows.map((row) => [row.token_hash, timestamp(Date.parse(row.last_used_at))] as const)
}

/** The notes of this process that are not written yet. */
function notedOf(waiting: Notes, sessions: readonly string[]): readonly (readonly [string, Timestamp])[] {
  return sessions.flatMap((session) => {
    const note = waiting.get(session)
    return typeof note === 'number' ? [[session, timestamp(note)] as const] : []
  })
}
