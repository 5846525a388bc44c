import { randomUUID } from 'node:crypto'
import { atMost, inBatches } from '../../application/concurrency/batches.js'
import type { Reservations } from '../../application/ports/reservations.js'
import { Unavailable } from '../../application/ports/unavailable.js'
import type { PostgresDatabase } from '../postgres/database.js'
import { givenUp, type GivenUp } from './given-up.js'
import { openLine, type Line } from './line.js'
import { openReservationTable, type Reservation, type ReservationTable } from './reservation-table.js'
import { ReservationsUnavailable, asReservationsUnavailable } from './reservations-unavailable.js'

export interface PostgresReservationsSettings {
  /** Uses up to four of its connections at once, each for one statement. Its answers should have a time limit. */
  readonly database: PostgresDatabase
  /** Told of reservations that could not be given up or swept: the next try follows by itself. */
  readonly onError?: (error: unknown) => void
  /** How long an act may take, and the process that runs it may be dead, before its place is another's. */
  readonly reservationLife_ms?: number
  readonly wait_ms_max?: number
}

export type PostgresReservations = Reservations & {
  /** Lets nobody in any more, and tells Postgres of all that is over. Acts still at work go on; their places lapse. */
  close(): Promise<void>
}

/** Longer than a request lives (120 s): a process that is only slow keeps its places. */
export const reservationLife_ms = 150_000
/** How long an act waits for those before it. */
export const wait_ms_max = 10_000
const reserving_max = 1000
const batch_max = 256
const sweepEvery_ms = 60_000
/** When a place that nobody knows to be taken is given up for the second time: before others stop waiting for it. */
const doubt_ms = 5000

/**
 * Reservations of any number of processes. Every act takes a place in the line of its key, a row of Postgres, before
 * the count is read; it is let in once the count and all places before its own stay below the limit. That is exact: of those
 * let in, the last one in the line saw each other one, as a place or, if that act was over, in the count. Where it has to
 * wait it holds no connection, and only for those before it, which the first in the line never has to.
 *
 * `within` rejects with ReservationsUnavailable, without acting, where that takes longer than `wait_ms_max`, where too many
 * ask at once, and where Postgres can't be had.
 */
export function openPostgresReservations(settings: PostgresReservationsSettings): PostgresReservations {
  const { database, onError = () => undefined } = settings
  const table = openReservationTable(database, settings.reservationLife_ms ?? reservationLife_ms)
  const line = openLine((reservations) => table.aheadOf(reservations))
  const over = givenUp({ giveUp: (ids) => table.giveUp(ids), onTold: () => line.look(), onError })
  const reserve = reserving(table, over)
  const sweeping = setInterval(() => void table.sweep().catch(onError), sweepEvery_ms).unref()
  let isClosed = false
  return {
    async within(key, limit, count, act) {
      if (isClosed) throw new ReservationsUnavailable('No more reservations are taken')
      const { ahead, ...reservation } = await reserve(key)
      const until = performance.now() + (settings.wait_ms_max ?? wait_ms_max)
      try {
        if (!(await isAdmitted({ reservation, ahead, until, limit, count }, line))) {
          over.add(reservation.id)
          return undefined
        }
      } catch (error) {
        over.add(reservation.id)
        throw error
      }
      return run(reservation, act, over)
    },
    async close() {
      isClosed = true
      clearInterval(sweeping)
      line.close()
      await over.close()
    },
  }
}

type Place = Reservation & { readonly ahead: number }

/** Takes a place in the line of a key. Those that are asked for at the same time are taken together. */
function reserving(table: ReservationTable, over: GivenUp): (key: string) => Promise<Place> {
  const reserve = inBatches<Reservation, number>({
    run: (reservations) => table.reserve(reservations),
    begin: atMost(batch_max),
    refusal: ({ items }) =>
      items < reserving_max
        ? undefined
        : new ReservationsUnavailable(`${reserving_max} others wait to be admitted already`),
  })
  return async (key) => {
    const reservation = { id: randomUUID(), key }
    try {
      return { ...reservation, ahead: await reserve.add(reservation) }
    } catch (error) {
      // It may have been made nevertheless, or be made yet: a statement that waits in a stalled server is carried out late.
      over.add(reservation.id)
      setTimeout(() => over.add(reservation.id), doubt_ms).unref()
      throw asReservationsUnavailable(error)
    }
  }
}

interface Question {
  readonly reservation: Reservation
  readonly ahead: number
  readonly until: number
  readonly limit: number
  readonly count: () => Promise<number>
}

/** Each time the count is read after the places before: an act that ends in between is counted at least once. */
async function isAdmitted({ reservation, until, limit, count, ...question }: Question, line: Line): Promise<boolean> {
  let { ahead } = question
  for (;;) {
    const there = await count()
    if (there >= limit) return false
    if (there + ahead < limit) return true
    ahead = await line.shorter(reservation, ahead, until)
  }
}

/**
 * Gives the place up once the act is over. An act that ended with something unavailable may have written what the count does
 * not show yet: its place stays until it lapses. What other reservations could not tell has written nothing.
 */
async function run<Result>({ id }: Reservation, act: () => Promise<Result>, over: GivenUp): Promise<Result> {
  try {
    const result = await act()
    over.add(id)
    return result
  } catch (error) {
    if (!(error instanceof Unavailable) || error instanceof ReservationsUnavailable) over.add(id)
    throw error
  }
}
