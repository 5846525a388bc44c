import { z } from 'zod'
import type { Queries } from '../../../application/ports/database.ts'
import { sql } from '../../../application/sql/sql.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import { rowLife_hours } from './idempotency-rows.ts'

/** The most space that the rows may take together: about 1.2 million rows of 0.9 KB. */
export const keptBytes_max = 1024 ** 3
const sweepRows_max = 10_000
/** The space of a row beside its sealed parts: the other columns, its headers and its entries in two indexes. */
const rowOverhead_bytes = 300

const countRow = z.object({ count: z.int() })
const turnRow = z.object({ isMine: z.boolean() })
const bytesRow = z.object({ bytes: z.coerce.number() })

/**
 * Whether a row has expired. Both times come from Postgres' clock: the clocks of two processes may differ by more than a day.
 */
export const isOver = sql.fragment`kept.started_at <= clock_timestamp() - make_interval(hours => ${rowLife_hours})`

/**
 * Removes the expired rows. If the rest takes more than `bytes_max`, also removes the oldest of those: their keys count as
 * unused. When several processes sweep at once, only one removes the excess.
 */
export async function sweepRows(database: PostgresDatabase, bytes_max: number): Promise<void> {
  for (let count = sweepRows_max; count === sweepRows_max;) count = await removeSome(database, sql.fragment`${isOver}`)
  // The size of the files is cheap to read, and never less than the size of the rows.
  const { bytes } = await database.one(
    sql.type(bytesRow)`select pg_total_relation_size('http.idempotency_keys') as bytes`,
  )
  if (bytes > bytes_max) await database.transaction((queries) => removeOldest(queries, bytes_max))
}

async function removeSome(database: PostgresDatabase, which: ReturnType<typeof sql.fragment>): Promise<number> {
  const { count } = await database.one(sql.type(countRow)`
    with gone as (
      delete from http.idempotency_keys where id in (
        select id from http.idempotency_keys as kept where ${which}
        order by started_at limit ${sweepRows_max} for update skip locked)
      returning 1
    )
    select count(*)::int4 as count from gone`)
  return count
}

/** The size of a row. Large values are not read for this. */
const size = sql.fragment`(${rowOverhead_bytes} + pg_column_size(sealed_recipe) + coalesce(pg_column_size(sealed_answer), 0))`

/** Removes as many of the oldest rows as make up the excess, a bounded number at a time. */
async function removeOldest(database: Queries, bytes_max: number): Promise<void> {
  const { isMine } = await database.one(sql.type(turnRow)`
    select pg_try_advisory_xact_lock(1196771662, 2) as "isMine"`)
  if (!isMine) return
  const all = await database.one(
    sql.type(bytesRow)`select coalesce(sum(${size}), 0) as bytes from http.idempotency_keys`,
  )
  for (let excess_bytes = all.bytes - bytes_max; excess_bytes > 0;) {
    const { bytes } = await database.one(sql.type(bytesRow)`
      with oldest as (
        select id, started_at, ${size} as bytes from http.idempotency_keys order by started_at, id limit ${sweepRows_max}
      ), counted as (
        select id, bytes, sum(bytes) over (order by started_at, id) - bytes as older_bytes from oldest
      ), gone as (
        delete from http.idempotency_keys k using counted c
        where k.id = c.id and c.older_bytes < ${excess_bytes} returning c.bytes
      )
      select coalesce(sum(bytes), 0) as bytes from gone`)
    // Other processes have removed the excess in the meantime.
    if (bytes === 0) return
    excess_bytes -= bytes
  }
}
