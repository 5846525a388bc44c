import type { PoolClient } from 'pg'
import { z } from 'zod'
import type { Elector } from '../../../application/concurrency/elector.ts'
import { sql } from '../../../application/sql/sql.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import { heldTurns, heldUntil } from './held-turns.ts'
import { holderClass, holderOver } from './holder.ts'
import { type Claimed, type IdempotencyRow, type IdempotencyRows } from './idempotency-rows.ts'
import { isOver, keptBytes_max, sweepRows } from './sweep-rows.ts'

export interface PostgresRowsSettings {
  readonly database: PostgresDatabase
  /** On a database opened with `holdsLocks`. */
  readonly elector: Elector<PoolClient>
  /** Called when a renewal or sweep fails. Both are retried. */
  readonly onError?: (error: unknown) => void
  /** How much space the rows may take together. Above that, the oldest are removed early. */
  readonly keptBytes_max?: number
}

const sweepEvery_ms = 60_000

const bytes = z.instanceof(Uint8Array)
const stored = z
  .object({
    id: bytes,
    fingerprint: bytes,
    command_id: z.string(),
    sealed_recipe: bytes,
    sealed_answer: bytes.nullable(),
    turn: z.string(),
  })
  .transform(({ turn, ...row }) => ({
    turn,
    row: {
      id: row.id,
      fingerprint: row.fingerprint,
      commandId: row.command_id,
      sealedRecipe: row.sealed_recipe,
      sealedAnswer: row.sealed_answer,
    },
  }))

const nothing = z.object({})
const found = z.object({ id: bytes })
const binary = (value: Uint8Array) => sql.binary(Buffer.from(value))
const columns = sql.fragment`id, fingerprint, command_id, sealed_recipe, sealed_answer, turn`

export type PostgresIdempotencyRows = IdempotencyRows & {
  /** Removes expired rows, and the oldest ones if the rest takes too much space. */
  sweep(): Promise<void>
  close(): Promise<void>
}

/** Rows in the schema `http`. Expired rows are removed every minute until it is closed. */
export function openPostgresIdempotencyRows(settings: PostgresRowsSettings): PostgresIdempotencyRows {
  const { database, onError = () => undefined } = settings
  const sweep = () => sweepRows(database, settings.keptBytes_max ?? keptBytes_max)
  const timer = setInterval(() => void sweep().catch(onError), sweepEvery_ms).unref()
  const holder = holderOver(settings.elector, onError)
  const held = heldTurns(database, holder, onError)
  return {
    async claim(row) {
      const claimed = await claim(database, row, holder.number() ?? null)
      if (claimed.outcome === 'taken') held.add(claimed.turn)
      return claimed
    },
    async answer(turn, sealedAnswer) {
      held.delete(turn)
      const kept = await database.maybeOne(sql.type(found)`
        update http.idempotency_keys set sealed_answer = ${binary(sealedAnswer)}, held_until = null
        where id = ${binary(turn.id)} and turn = ${turn.number} returning id`)
      return kept !== undefined
    },
    async remove(turn) {
      held.delete(turn)
      await database.any(sql.type(nothing)`
        delete from http.idempotency_keys where id = ${binary(turn.id)} and turn = ${turn.number}`)
    },
    async release(turn) {
      held.delete(turn)
      await database.any(sql.type(nothing)`
        update http.idempotency_keys set held_until = null where id = ${binary(turn.id)} and turn = ${turn.number}`)
    },
    find: async (id) => (await find(database, id))?.row,
    sweep,
    close: async () => {
      clearInterval(timer)
      held.close()
    },
  }
}

/** Whether the turn of a row is free: it was ended, was not renewed in time, or its holder has died. */
const isFree = sql.fragment`(kept.held_until is null or kept.held_until <= clock_timestamp()
  or kept.holder is not null and not exists (
    select from pg_locks where locktype = 'advisory' and classid = ${holderClass} and objid = kept.holder::oid
      and database = (select oid from pg_database where datname = current_database())))`

/**
 * One statement takes the turn, so a hang of this process blocks no other. A row with the same command id was created by this
 * same request.
 */
async function claim(
  database: PostgresDatabase,
  row: Omit<IdempotencyRow, 'sealedAnswer'>,
  holder: number | null,
): Promise<Claimed> {
  for (;;) {
    const taken = await database.maybeOne(sql.type(stored)`
      insert into http.idempotency_keys as kept (id, fingerprint, command_id, sealed_recipe, turn, held_until, holder)
      values (${binary(row.id)}, ${binary(row.fingerprint)}, ${row.commandId}, ${binary(row.sealedRecipe)}, 1, ${heldUntil}, ${holder})
      on conflict (id) do update set
        fingerprint = excluded.fingerprint,
        command_id = case when ${isOver} then excluded.command_id else kept.command_id end,
        started_at = case when ${isOver} then clock_timestamp() else kept.started_at end,
        sealed_recipe = case when ${isOver} then excluded.sealed_recipe else kept.sealed_recipe end,
        sealed_answer = null,
        turn = kept.turn + 1,
        held_until = excluded.held_until,
        holder = excluded.holder
      where ${isOver} or (kept.sealed_answer is null and kept.fingerprint = excluded.fingerprint and ${isFree})
      returning ${columns}`)
    if (taken) {
      const earlier = taken.row.commandId === row.commandId ? undefined : taken.row
      return { outcome: 'taken', turn: { id: row.id, number: taken.turn }, earlier }
    }
    const kept = await find(database, row.id)
    // A row that was removed between the two statements is taken in the next round.
    if (kept) return { outcome: 'kept', row: kept.row }
  }
}

function find(database: PostgresDatabase, id: Uint8Array) {
  return database.maybeOne(sql.type(stored)`select ${columns} from http.idempotency_keys where id = ${binary(id)}`)
}
