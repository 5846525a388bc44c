import type pg from 'pg'
import { timestamp, type Timestamp } from '../../domain/kernel/timestamp.ts'

const rowsAtOnce_max = 100_000
const perStream_count = 10
const actors_count = 1000
const firstAt_ms = Date.UTC(2026, 0, 1)
const between_ms = 100
const longAccount = 999

/** What was laid: whom one may ask for. */
export interface LaidChanges {
  /** The stream with many events. */
  readonly long: string
  /** A time at which it had half of them. */
  readonly halfway: Timestamp
  /** The account that acted in one of 1,000 of the other events. */
  readonly actor: string
  /** A request that wrote ten of them. */
  readonly request: string
}

/**
 * Lays changes of settings directly into the table of events, which costs less than to append them: `long_count` in one stream, in
 * the middle of `others_count` in streams of ten. The read models see them once another event is appended.
 */
export async function laySettingsChanges(
  pool: pg.Pool,
  long_count: number,
  others_count: number,
): Promise<LaidChanges> {
  const half = Math.floor(others_count / 2)
  await layOthers(pool, 0, half)
  await lay(pool, half, half + long_count, String(longAccount), `n - ${half}`)
  await layOthers(pool, half + long_count, others_count + long_count)
  await pool.query('vacuum analyze event_store.events')
  const { rows } = await pool.query<{ readonly actor: string; readonly request: string }>(
    `select metadata->'actor'->>'id' as actor, metadata->>'correlationId' as request
     from event_store.events where stream <> $1 and type = 'UserSettingsChanged' limit 1`,
    [`user_settings-${longAccount}`],
  )
  const [one] = rows
  if (!one) throw new Error('No event was laid')
  const halfway = timestamp(firstAt_ms + (half + long_count / 2) * between_ms)
  return { long: `user_settings-${longAccount}`, halfway, ...one }
}

async function layOthers(pool: pg.Pool, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += rowsAtOnce_max)
    await lay(
      pool,
      at,
      Math.min(to, at + rowsAtOnce_max),
      `1000000 + ${from} + (n - ${from}) / ${perStream_count}`,
      `(n - ${from}) % ${perStream_count}`,
    )
}

/** Numbers from the first to before the last, with the account and the revision as expressions of `n`. */
async function lay(pool: pg.Pool, from: number, to: number, account: string, revision: string): Promise<void> {
  await pool.query(
    `insert into event_store.events (stream, revision, event_id, type, data, metadata)
     select 'user_settings-' || (${account}), ${revision}, md5('event' || n)::uuid, 'UserSettingsChanged',
       jsonb_build_object('accountId', (${account})::text, 'changes', jsonb_build_object('locale', 'en-US')),
       jsonb_build_object('schemaVersion', 1,
         'at', to_char(to_timestamp($1::float8 / 1000 + n * $2::float8 / 1000) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
         'actor', jsonb_build_object('kind', 'account', 'id', (5000 + n % $3::int4)::text),
         'correlationId', md5('request' || n / 10)::uuid, 'causationId', md5('request' || n / 10)::uuid)
     from generate_series($4::int4, $5::int4 - 1) n`,
    [firstAt_ms, between_ms, actors_count, from, to],
  )
}
