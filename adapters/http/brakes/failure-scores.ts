import { z } from 'zod'
import { sql } from '../../../application/sql/sql.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import { keyOfRow } from '../limits/take-batches.ts'

/**
 * How much of a network's score is forgiven each second, and the score at which it is banned. The score works like a
 * leaky bucket: a client that fails no faster than 0.83 weights a second, which is 200 wrong invites or 66 refused
 * tokens a minute, is never banned, however long it continues. The threshold equals 1000 rate-limited requests in one
 * burst. It is this high because many people share one address: after the 10 logins in half an hour that an address may
 * try are used up, each of 300 colleagues may fail three more times. An attacker reaches it in less than a minute.
 */
export const failureScores = { threshold: 3000, forgiven_perSecond: 3000 / 3600 } as const

/** The failure scores of networks, shared by all processes of the instance. */
export interface FailureScores {
  /** Adds weights by network. Gives the networks that reached the threshold. */
  add(weights: ReadonlyMap<string, number>): Promise<readonly string[]>
  /** Resets the scores of networks to zero. */
  forget(networks: readonly string[]): Promise<void>
  /** Removes scores that have fallen to zero. */
  sweep(): Promise<void>
}

export interface FailureScoresSettings {
  readonly database: PostgresDatabase
  readonly threshold?: number
  /** A clock in milliseconds, instead of Postgres' clock, which all processes share. */
  readonly now?: () => number
}

const sweptAtOnce_max = 10_000
/** The most statements of one sweep. */
const sweeps_max = 40

const reached = z.object({ key: z.instanceof(Buffer), score: z.number() })
const counted = z.object({ count: z.int() })
const nothing = z.object({})

/** Scores in the schema `network_failures`, timed by Postgres' clock. */
export function openFailureScores(settings: FailureScoresSettings): FailureScores {
  const { database, threshold = failureScores.threshold, now } = settings
  const instant = () =>
    sql.fragment`coalesce(${now?.() ?? null}::float8, extract(epoch from clock_timestamp())::float8 * 1000)`
  return {
    async add(weights) {
      const networks = new Map([...weights.keys()].map((network) => [keyOfRow(network).toString('hex'), network]))
      const rows = await database.any(addition(weights, instant()))
      return rows.flatMap(({ key, score }) => (score < threshold ? [] : (networks.get(key.toString('hex')) ?? [])))
    },
    async forget(networks) {
      const keys = sql.array(networks.map(keyOfRow), 'bytea')
      await database.any(sql.type(nothing)`delete from network_failures.scores where key = any(${keys})`)
    },
    async sweep() {
      for (let sweeps = 0; sweeps < sweeps_max; sweeps += 1) {
        const { count } = await database.one(removal(instant()))
        if (count < sweptAtOnce_max) return
      }
    },
  }
}

type Instant = ReturnType<typeof sql.fragment>

/** One statement. It locks rows in the order of their keys, as all processes do. */
function addition(weights: ReadonlyMap<string, number>, instant: Instant) {
  const { forgiven_perSecond: perSecond } = failureScores
  const keys = [...weights.keys()].map(keyOfRow)
  return sql.type(reached)`
    insert into network_failures.scores as s (key, score, at_ms)
    select n.key, n.weight, i.at_ms
    from (select ${instant} as at_ms) i,
      unnest(${sql.array(keys, 'bytea')}, ${sql.array([...weights.values()], 'float8')}) as n (key, weight)
    order by n.key
    on conflict (key) do update set
      score = excluded.score + greatest(0, s.score - greatest(0, excluded.at_ms - s.at_ms) / 1000 * ${perSecond}::float8),
      at_ms = excluded.at_ms
    returning key, score`
}

function removal(instant: Instant) {
  return sql.type(counted)`
    with old as materialized (
      select key from network_failures.scores
      where at_ms + score / ${failureScores.forgiven_perSecond}::float8 * 1000 <= (select ${instant})
      limit ${sweptAtOnce_max} for update skip locked
    ), gone as (delete from network_failures.scores s using old where s.key = old.key returning s.key)
    select count(*)::integer as count from gone`
}
