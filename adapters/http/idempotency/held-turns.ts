import { z } from 'zod'
import { sql } from '../../../application/sql/sql.ts'
import type { PostgresDatabase } from '../../postgres/database.ts'
import type { Holder } from './holder.ts'
import { turnLife_ms, type Turn } from './idempotency-rows.ts'

/** The turns of the requests at work in this process. */
export interface HeldTurns {
  add(turn: Turn): void
  delete(turn: Turn): void
  close(): void
}

export const renewEvery_ms = 1000
const nothing = z.object({})

/** The time until which a turn taken or renewed now lasts. */
export const heldUntil = sql.fragment`clock_timestamp() + make_interval(secs => ${turnLife_ms / 1000})`

/**
 * Extends the turns that this process holds, with one statement each `renewEvery_ms`. A process that hangs or is gone renews
 * nothing, however its connections end, so its turns run out by Postgres' clock. Most requests end before the first renewal. A
 * turn belongs to the holder's number, which changes after its connection broke.
 */
export function heldTurns(database: PostgresDatabase, holder: Holder, onError: (error: unknown) => void): HeldTurns {
  const held = new Set<Turn>()
  let isRenewing = false
  const renew = async (): Promise<void> => {
    if (held.size === 0 || isRenewing) return
    isRenewing = true
    const turns = [...held]
    const ids = sql.array(
      turns.map(({ id }) => Buffer.from(id)),
      'bytea',
    )
    const numbers = sql.array(
      turns.map(({ number }) => number),
      'int8',
    )
    await database
      .any(
        sql.type(nothing)`
        update http.idempotency_keys k set held_until = ${heldUntil}, holder = ${holder.number() ?? null}
        from unnest(${ids}, ${numbers}) as t (id, turn)
        where k.id = t.id and k.turn = t.turn and k.held_until is not null`,
      )
      .catch(onError)
    isRenewing = false
  }
  const timer = setInterval(() => void renew(), renewEvery_ms).unref()
  return {
    add: (turn) => void held.add(turn),
    delete: (turn) => void held.delete(turn),
    close: () => {
      clearInterval(timer)
      holder.close()
    },
  }
}
