import { randomUUID } from 'node:crypto'
import { atMost, inBatches } from '../../application/concurrency/batches.ts'
import type { Counted, Reservations } from '../../application/ports/reservations.ts'
import { Unavailable } from '../../application/failures/unavailable.ts'
import type { PostgresDatabase } from '../postgres/database.ts'
import { givenUp, type GivenUp } from './given-up.ts'
import { openReservationQueue, type ReservationQueue } from './reservation-queue.ts'
import { openReservationTable, type Reservation, type ReservationTable } from './reservation-table.ts'
import { ReservationsUnavailable, asReservationsUnavailable } from './reservations-unavailable.ts'

export interface PostgresReservationsSettings {
  /** Uses up to four of its connections at once, each for one statement. Its statements should have a time limit. */
  readonly database: PostgresDatabase
  /** Called for reservations that could not be given up or swept. The next try follows by itself. */
  readonly onError?: (error: unknown) => void
  /** How long an act may take. If its process dies, its reservation lapses after this time. */
  readonly reservationLife_ms?: number
  readonly wait_ms_max?: number
}

export type PostgresReservations = Reservations & {
  /** Admits no more acts, and reports all ended ones to Postgres. Acts still at work continue; their reservations lapse. */
  close(): Promise<void>
}

/** Longer than a request lives (120 s): a process that is only slow keeps its reservations. */
export const reservationLife_ms = 150_000
/** How long an act waits for those ahead of it. */
export const wait_ms_max = 10_000
const reserving_max = 1000
const batch_max = 256
const sweepEvery_ms = 60_000
/** When a reservation that may or may not have been made is given up for the second time: before others stop waiting for it. */
const doubt_ms = 5000

/**
 * Reservations of any number of processes. Every act takes a reservation in the queue of each of its keys, a row in Postgres, before the
 * counts are read. It is admitted once the count and all reservations ahead of its own are below the limit. This is exact: of the admitted
 * acts, the last one in the queue saw each other one, as a reservation or, if that act was over, in the count. An act that waits holds
 * no connection, and waits only for those ahead of it, so the first in the queue never waits.
 *
 * `within` rejects with ReservationsUnavailable, without acting, if that takes longer than `wait_ms_max`, if too many ask at
 * once, and if Postgres is unavailable.
 */
export function openPostgresReservations(settings: PostgresReservationsSettings): PostgresReservations {
  const { database, onError = () => undefined } = settings
  const table = openReservationTable(database, settings.reservationLife_ms ?? reservationLife_ms)
  const queue = openReservationQueue((reservations) => table.aheadOf(reservations))
  const over = givenUp({ giveUp: (ids) => table.giveUp(ids), onTold: () => queue.look(), onError })
  const reserve = reserving(table, over)
  const sweeping = setInterval(() => void table.sweep().catch(onError), sweepEvery_ms).unref()
  let isClosed = false
  return {
    async within(counts, act) {
      if (isClosed) throw new ReservationsUnavailable('No more reservations are taken')
      const reserved = await reserve(counts)
      const until = performance.now() + (settings.wait_ms_max ?? wait_ms_max)
      const end = (): void => {
        for (const { id } of reserved) over.add(id)
      }
      try {
        for (const reservation of reserved) if (!(await isAdmitted(reservation, until, queue))) reservation.refuse()
      } catch (error) {
        end()
        throw error
      }
      return run(act, end)
    },
    async close() {
      isClosed = true
      clearInterval(sweeping)
      queue.close()
      await over.close()
    },
  }
}

type Wanted = Reservation & Counted
type Reserved = Wanted & { readonly ahead: number }

/**
 * Takes a reservation in the queue of each key, all at one moment, so that two acts with keys in common are in the same order in each of their
 * queues. Reservations that are requested at the same time are taken together.
 */
function reserving(
  table: ReservationTable,
  over: GivenUp,
): (counts: readonly Counted[]) => Promise<readonly Reserved[]> {
  const reserve = inBatches<readonly Wanted[], readonly Reserved[]>({
    run: async (asked) => {
      const wanted = asked.flat()
      const reserved = reservedOf(wanted, await table.reserve(wanted))
      let taken = 0
      return asked.map(({ length }) => reserved.slice(taken, (taken += length)))
    },
    begin: atMost(batch_max),
    refusal: ({ items }) =>
      items < reserving_max
        ? undefined
        : new ReservationsUnavailable(`${reserving_max} others wait to be admitted already`),
  })
  return async (counts) => {
    const wanted = counts.map((counted) => ({ ...counted, id: randomUUID() }))
    try {
      return await reserve.add(wanted)
    } catch (error) {
      // The rows may exist nevertheless, or may still be made: a statement that waits in a stalled server runs late.
      const giveUp = (): void => {
        for (const { id } of wanted) over.add(id)
      }
      giveUp()
      setTimeout(giveUp, doubt_ms).unref()
      throw asReservationsUnavailable(error)
    }
  }
}

function reservedOf(wanted: readonly Wanted[], ahead: readonly number[]): readonly Reserved[] {
  return wanted.map((each, index) => {
    const number = ahead[index]
    if (number === undefined) throw new Error('A reservation was not made')
    return { ...each, ahead: number }
  })
}

/** The count is always read after the reservations ahead: an act that ends in between is counted at least once. */
async function isAdmitted(
  { limit, count, ...reservation }: Reserved,
  until: number,
  queue: ReservationQueue,
): Promise<boolean> {
  let { ahead } = reservation
  for (;;) {
    const there = await count()
    if (there >= limit) return false
    if (there + ahead < limit) return true
    ahead = await queue.shorter(reservation, ahead, until)
  }
}

/**
 * Gives the reservations up once the act is over. An act that failed with an Unavailable may have written something that the counts
 * do not show yet: its reservations stay until they lapse. A failure of the reservations themselves has written nothing.
 */
async function run<Result>(act: () => Promise<Result>, giveUp: () => void): Promise<Result> {
  try {
    const result = await act()
    giveUp()
    return result
  } catch (error) {
    if (!(error instanceof Unavailable) || error instanceof ReservationsUnavailable) giveUp()
    throw error
  }
}
