import { z } from 'zod'
import type { Rate } from '../../../application/ports/allowances.ts'
import { sql } from '../../../application/sql/sql.ts'
import type { HeldPositions } from '../../../application/ports/read-models.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'

/** A bucket, by the key of its row. */
export interface RowBucket {
  readonly key: Buffer
  readonly rate: Rate
}

/** Requests for one bucket at one instant. */
export interface Spending extends RowBucket {
  /** How many requests to take; 0 only reads the bucket. */
  readonly takes: number
}

/** A request for one bucket, if another one admits it first. */
export interface Following extends RowBucket {
  /** The other bucket. */
  readonly after: Buffer
  /** Which of the requests that are taken from the other bucket this one is, from 1. */
  readonly turn: number
}

/** An amount to take from one bucket, even below empty. */
export interface RowCharge extends RowBucket {
  readonly amount: number
}

/** The state of a bucket when it was read. */
export interface BucketState {
  readonly key: Buffer
  /** Milliseconds until the bucket was due to be full, before the requests were taken. For a charge: after it. */
  readonly owed_ms: number
  /** Whether this statement created its row. */
  readonly added: boolean
}

/**
 * Leaky buckets as rows that any number of processes share. Every method rejects with PostgresUnavailable if Postgres is
 * unavailable.
 */
export interface BucketRows {
  /**
   * Takes from several buckets with different keys, as many requests as each admits. Exact, even if others take at the same
   * moment. Then takes from others for those whose first bucket admitted them; for a bucket that nobody came to, there is no state.
   * Without `mayAdd`, keys without a row get none either.
   */
  spend(
    spendings: readonly Spending[],
    followings: readonly Following[],
    mayAdd: boolean,
  ): Promise<readonly BucketState[]>
  /**
   * Takes from several buckets with different keys, even below empty, and gives their state afterwards. Without `mayAdd`, keys
   * without a row get no state.
   */
  charge(charges: readonly RowCharge[], mayAdd: boolean): Promise<readonly BucketState[]>
  /** Removes a bucket, which has the same effect as filling it. */
  remove(key: Buffer): Promise<void>
  /** Removes at most `removedAtOnce_max` full buckets. Gives how many. */
  removeFull(): Promise<number>
  /**
   * Removes `count` buckets that still admit requests, at most `removedAtOnce_max`, starting with those that are full soonest.
   */
  removeSoonestFull(count: number): Promise<number>
  /** The number of rows, at most `count_max`. */
  count(count_max: number): Promise<number>
}

export const removedAtOnce_max = 10_000
/** If Postgres' clock was set back by more than this, buckets continue from its new time instead of waiting for the old one. */
const clockStep_ms_max = 60_000

const state = z.object({ key: z.instanceof(Buffer), owed_ms: z.number(), added: z.boolean() })
const stateBeside = state.extend({ low: z.string().nullable(), high: z.string().nullable() })
const counted = z.object({ count: z.int() })
const nothing = z.object({})

/** A select of `low` and `high`, as texts, and what to do with them. */
export interface HeldBeside {
  readonly columns: ReturnType<typeof sql.fragment>
  readonly onHeld: (held: HeldPositions) => void
}

export interface BucketRowsSettings {
  /** Replaces Postgres' clock, in milliseconds. */
  readonly now?: (() => number) | undefined
  /** Brings along, with the statement that takes requests, what the read models hold then. */
  readonly held?: HeldBeside | undefined
}

/** Opens the table in the schema `rate_limits`. */
export function openBucketRows(database: PostgresDatabase, { now, held }: BucketRowsSettings = {}): BucketRows {
  const beside = held?.columns ?? sql.fragment`select null as low, null as high`
  const instant = () =>
    sql.fragment`coalesce(${now?.() ?? null}::float8, extract(epoch from clock_timestamp())::float8 * 1000)`
  return {
    async spend(spendings, followings, mayAdd) {
      const states = await database.any(spendQuery(spendings, followings, mayAdd, instant(), beside))
      const [first] = states
      if (first && first.low !== null && first.high !== null)
        held?.onHeld({ low: BigInt(first.low), high: BigInt(first.high) })
      return states
    },
    charge: (charges, mayAdd) => database.any(chargeQuery(charges, mayAdd, instant())),
    async remove(key) {
      await database.any(sql.type(nothing)`delete from rate_limits.buckets where key = ${sql.binary(key)}`)
    },
    async removeFull() {
      const { count } = await database.one(sql.type(counted)`
        with old as materialized (
          select key from rate_limits.buckets where at_ms + owed_ms <= (select ${instant()})
          limit ${removedAtOnce_max} for update skip locked
        ), ${deletion}`)
      return count
    },
    async removeSoonestFull(wanted) {
      const { count } = await database.one(sql.type(counted)`
        with instant as materialized (select ${instant()} as at_ms), old as materialized (
          select b.key from rate_limits.buckets b, instant i
          where rate_limits.admitted(b.owed_ms - greatest(0, i.at_ms - b.at_ms), b.requests, b.seconds, 1) = 1
          order by b.at_ms + b.owed_ms
          limit ${Math.min(wanted, removedAtOnce_max)} for update of b skip locked
        ), ${deletion}`)
      return count
    },
    async count(count_max) {
      const { count } = await database.one(sql.type(counted)`
        select count(*)::integer as count from (select from rate_limits.buckets limit ${count_max}) b`)
      return count
    },
  }
}

/** Skips rows in use instead of waiting for them, so the lock order does not matter here. */
const deletion = sql.fragment`
  gone as (delete from rate_limits.buckets b using old where b.key = old.key returning b.key)
  select count(*)::integer as count from gone`

type Instant = ReturnType<typeof sql.fragment>

/** Key, requests and seconds of each bucket, for `unnest`. */
function bucketColumns(buckets: readonly RowBucket[]) {
  const keys = buckets.map(({ key }) => key)
  const requests = buckets.map(({ rate }) => rate.requests)
  const seconds = buckets.map(({ rate }) => rate.seconds)
  return sql.fragment`${sql.array(keys, 'bytea')}, ${sql.array(requests, 'float8')}, ${sql.array(seconds, 'float8')}`
}

/**
 * One statement. It locks first the rows of `spendings`, then those of `followings`, each in the order of their keys, as all processes
 * do, so no deadlock can arise. A row that it waited for may have been written at a later instant than this statement's start: then
 * the row's own instant counts.
 */
function spendQuery(
  spendings: readonly Spending[],
  followings: readonly Following[],
  mayAdd: boolean,
  instant: Instant,
  beside: Instant,
) {
  const takes = spendings.map((spending) => spending.takes)
  const follow = followings.length === 0 ? noFollowing : followingOf(followings, mayAdd)
  return sql.type(stateBeside)`
    with instant as materialized (select ${instant} as at_ms), wanted as materialized (
      select n.*, i.at_ms, n.seconds * 1000 / n.requests as interval_ms
      from instant i, unnest(
        ${bucketColumns(spendings)}, ${sql.array(takes, 'int4')}
      ) as n (key, requests, seconds, takes)
    ), spent as (${takenFrom(sql.fragment`wanted`, mayAdd)})${follow.ctes}
    select answer.*, held.low, held.high from (${beside}) held cross join (select key, owed_ms, added from spent
    union all
    select w.key, coalesce(greatest(0, b.owed_ms - greatest(0, w.at_ms - b.at_ms)), 0), false
    from wanted w left join rate_limits.buckets b on b.key = w.key where w.takes = 0${follow.rows}) answer`
}

const noFollowing = { ctes: sql.fragment``, rows: sql.fragment`` }

/** Those come to their second bucket whom the first one admitted: of the requests at it, the earliest. */
function followingOf(followings: readonly Following[], mayAdd: boolean) {
  const after = followings.map((following) => following.after)
  const turns = followings.map(({ turn }) => turn)
  const ctes = sql.fragment`, following as materialized (
      select f.key, f.requests, f.seconds, i.at_ms, f.seconds * 1000 / f.requests as interval_ms, count(*)::int4 as takes
      from instant i, unnest(
        ${bucketColumns(followings)}, ${sql.array(after, 'bytea')}, ${sql.array(turns, 'int4')}
      ) as f (key, requests, seconds, after, turn)
      join spent s on s.key = f.after and f.turn <= s.admitted
      group by f.key, f.requests, f.seconds, i.at_ms
    ), spent_then as (${takenFrom(sql.fragment`following`, mayAdd)})`
  return { ctes, rows: sql.fragment` union all select key, owed_ms, added from spent_then` }
}

/** Takes what a table of wishes asks for, and returns the buckets' state before it. */
function takenFrom(wishes: ReturnType<typeof sql.fragment>, mayAdd: boolean) {
  return sql.fragment`
      insert into rate_limits.buckets as b (key, requests, seconds, at_ms, owed_ms, asked, admitted)
      select w.key, w.requests, w.seconds, w.at_ms, a.admitted * w.interval_ms, w.takes, a.admitted
      from ${wishes} w cross join lateral (select rate_limits.admitted(0, w.requests, w.seconds, w.takes) as admitted) a
      where w.takes > 0 and (${mayAdd} or exists (select from rate_limits.buckets known where known.key = w.key))
      order by w.key
      on conflict (key) do update set (requests, seconds, at_ms, owed_ms, asked, admitted) = (
        select excluded.requests, excluded.seconds, t.at_ms,
          o.owed_ms + a.admitted * (excluded.seconds * 1000 / excluded.requests), excluded.asked, a.admitted
        from (
          select case when b.at_ms > excluded.at_ms + ${clockStep_ms_max}
            then excluded.at_ms else greatest(b.at_ms, excluded.at_ms) end as at_ms
        ) t
        cross join lateral (select greatest(0, b.owed_ms - greatest(0, t.at_ms - b.at_ms)) as owed_ms) o
        cross join lateral (
          select rate_limits.admitted(o.owed_ms, excluded.requests, excluded.seconds, excluded.asked) as admitted
        ) a
      )
      -- A row that is new was never locked, which is what xmax would tell of.
      returning key, greatest(0, owed_ms - admitted * (seconds * 1000 / requests)) as owed_ms, admitted, xmax = 0 as added`
}

/** Locks rows in the same order as `spendQuery`. */
function chargeQuery(charges: readonly RowCharge[], mayAdd: boolean, instant: Instant) {
  const amounts = charges.map(({ amount }) => amount)
  return sql.type(state)`
    with wanted as materialized (
      select n.*, ${instant} as at_ms, n.amount * n.seconds * 1000 / n.requests as charge_ms
      from unnest(
        ${bucketColumns(charges)}, ${sql.array(amounts, 'float8')}
      ) as n (key, requests, seconds, amount)
    )
    insert into rate_limits.buckets as b (key, requests, seconds, at_ms, owed_ms, asked, admitted)
    select w.key, w.requests, w.seconds, w.at_ms, w.charge_ms, 0, 0
    from wanted w
    where ${mayAdd} or exists (select from rate_limits.buckets known where known.key = w.key)
    order by w.key
    on conflict (key) do update set (requests, seconds, at_ms, owed_ms, asked, admitted) = (
      select excluded.requests, excluded.seconds, t.at_ms,
        greatest(0, b.owed_ms - greatest(0, t.at_ms - b.at_ms)) + excluded.owed_ms, 0, 0
      from (
        select case when b.at_ms > excluded.at_ms + ${clockStep_ms_max}
          then excluded.at_ms else greatest(b.at_ms, excluded.at_ms) end as at_ms
      ) t
    )
    returning key, owed_ms, xmax = 0 as added`
}
