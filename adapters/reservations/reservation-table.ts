import { z } from 'zod'
import { sql } from '../../application/sql/sql.ts'
import type { PostgresDatabase } from '../postgres/database.ts'

/** A reservation in the queue of one count. */
export interface Reservation {
  /** A UUID. */
  readonly id: string
  readonly key: string
}

/** The reservations of all processes. Those of one key keep the order in which they were made. */
export interface ReservationTable {
  /**
   * Makes reservations that lapse after `life_ms`, durably. Gives how many were ahead of each: all that were made earlier and
   * not yet given up.
   */
  reserve(reservations: readonly Reservation[]): Promise<readonly number[]>
  /** How many are ahead of each now, which only ever falls; undefined for a lapsed one. */
  aheadOf(reservations: readonly Reservation[]): Promise<readonly (number | undefined)[]>
  giveUp(ids: readonly string[]): Promise<void>
  /** Removes lapsed reservations, up to a bound. */
  sweep(): Promise<void>
}

const sweepRows_max = 10_000
const aheadRow = z.object({ reservation: z.string(), ahead: z.int() })
const nothing = z.object({})

/** Opens the table in the schema `admission`. Any number of processes may open it. */
export function openReservationTable(database: PostgresDatabase, life_ms: number): ReservationTable {
  return {
    async reserve(reservations) {
      const rows = await database.any(sql.type(aheadRow)`
        select * from admission.reserve(${ids(reservations)}, ${keys(reservations)},
          make_interval(secs => ${life_ms / 1000}))`)
      return inOrder(reservations, rows).map((ahead) => {
        if (ahead === undefined) throw new Error('A reservation lapsed as it was made')
        return ahead
      })
    },
    async aheadOf(reservations) {
      const rows = await database.any(sql.type(aheadRow)`
        select * from admission.ahead_of(${ids(reservations)}, ${keys(reservations)})`)
      return inOrder(reservations, rows)
    },
    async giveUp(given) {
      await database.any(sql.type(nothing)`select admission.give_up(${sql.array(given, 'uuid')})`)
    },
    // Skips a row that its process is giving up right now: neither waits for the other.
    async sweep() {
      await database.any(sql.type(nothing)`
        delete from admission.reservations where id in (
          select id from admission.reservations where expires_at <= clock_timestamp()
          limit ${sweepRows_max} for update skip locked)`)
    },
  }
}

const ids = (reservations: readonly Reservation[]) =>
  sql.array(
    reservations.map(({ id }) => id),
    'uuid',
  )
const keys = (reservations: readonly Reservation[]) =>
  sql.array(
    reservations.map(({ key }) => key),
    'text',
  )

function inOrder(
  reservations: readonly Reservation[],
  rows: readonly z.output<typeof aheadRow>[],
): readonly (number | undefined)[] {
  const ahead = new Map(rows.map((row) => [row.reservation, row.ahead]))
  return reservations.map(({ id }) => ahead.get(id))
}
