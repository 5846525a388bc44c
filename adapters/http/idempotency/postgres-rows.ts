import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { sql } from '../../../application/ports/database.js'
import { timestamp } from '../../../domain/kernel/timestamp.js'
import type { PostgresConnection, PostgresDatabase } from '../../postgres/database.js'
import { rowLife_hours, type IdempotencyRow, type IdempotencyRows } from './idempotency-rows.js'
import { rowLocks } from './row-locks.js'

export interface PostgresRowsSettings {
  readonly database: PostgresDatabase
  /** The same server and database, for the one connection that holds the locks. */
  readonly connection: PostgresConnection
  /** Told of connections that break, and of sweeps that fail. */
  readonly onError?: (error: unknown) => void
}

const sweepEvery_ms = 600_000
const sweepRows_max = 10_000

const bytes = z.instanceof(Uint8Array)
const stored = z
  .object({
    id: bytes,
    fingerprint: bytes,
    command_id: z.string(),
    started_at: z.string(),
    sealed_recipe: bytes,
    sealed_answer: bytes.nullable(),
  })
  .transform((row): IdempotencyRow => ({
    id: row.id,
    fingerprint: row.fingerprint,
    commandId: row.command_id,
    startedAt: timestamp(Date.parse(row.started_at)),
    sealedRecipe: row.sealed_recipe,
    sealedAnswer: row.sealed_answer,
  }))

const nothing = z.object({})
const found = z.object({ id: bytes })
const binary = (value: Uint8Array) => sql.binary(Buffer.from(value))
const lifeAgo = sql.fragment`now() - make_interval(hours => ${rowLife_hours})`

export type PostgresIdempotencyRows = IdempotencyRows & {
  /** Removes rows whose time is over. */
  sweep(): Promise<void>
  close(): Promise<void>
}

/** Rows in the schema `http`, which is made where it is missing. Old ones are removed every ten minutes until it is closed. */
export async function openPostgresIdempotencyRows(settings: PostgresRowsSettings): Promise<PostgresIdempotencyRows> {
  const { database, connection, onError = () => undefined } = settings
  await database.pool.query(await readFile(new URL('./tables.sql', import.meta.url), 'utf8'))
  const locks = rowLocks(connection, onError)
  const timer = setInterval(() => void sweep(database).catch(onError), sweepEvery_ms).unref()
  return {
    lock: (id) => locks.lock(id),
    claim: (row) => claim(database, row),
    answer: async (id, sealedAnswer) => {
      await database.any(sql.type(nothing)`
        update http.idempotency_keys set sealed_answer = ${binary(sealedAnswer)} where id = ${binary(id)}`)
    },
    remove: async (id) => {
      await database.any(sql.type(nothing)`delete from http.idempotency_keys where id = ${binary(id)}`)
    },
    sweep: () => sweep(database),
    async close() {
      clearInterval(timer)
      await locks.close()
    },
  }
}

async function sweep(database: PostgresDatabase): Promise<void> {
  await database.any(sql.type(nothing)`
    delete from http.idempotency_keys where id in (
      select id from http.idempotency_keys where started_at <= ${lifeAgo} order by started_at limit ${sweepRows_max})`)
}

async function claim(database: PostgresDatabase, row: IdempotencyRow): Promise<IdempotencyRow | undefined> {
  const made = await database.maybeOne(sql.type(found)`
    insert into http.idempotency_keys as kept (id, fingerprint, command_id, started_at, sealed_recipe)
    values (${binary(row.id)}, ${binary(row.fingerprint)}, ${row.commandId}, ${row.startedAt},
      ${binary(row.sealedRecipe)})
    on conflict (id) do update set fingerprint = excluded.fingerprint, command_id = excluded.command_id,
      started_at = excluded.started_at, sealed_recipe = excluded.sealed_recipe, sealed_answer = null
    where kept.started_at <= ${lifeAgo}
    returning id`)
  if (made) return undefined
  return database.one(sql.type(stored)`select * from http.idempotency_keys where id = ${binary(row.id)}`)
}
