import { ReservationsUnavailable, asReservationsUnavailable } from './reservations-unavailable.ts'
import type { Reservation } from './reservation-table.ts'

/** Where reservations wait until fewer are ahead of them. */
export interface ReservationQueue {
  /**
   * Resolves with how many are ahead of a reservation, once that is less than `ahead`. Rejects with ReservationsUnavailable if
   * that does not happen until `until`, a time of `performance.now()`, if it can't be determined, and if `waiting_max` wait
   * already.
   */
  shorter(reservation: Reservation, ahead: number, until: number): Promise<number>
  /** Checks at once, because some reservations were given up. */
  look(): void
  /** Rejects all waiting reservations. */
  close(): void
}

type AheadOf = (reservations: readonly Reservation[]) => Promise<readonly (number | undefined)[]>

interface Waiting {
  readonly reservation: Reservation
  readonly ahead: number
  readonly until: number
  readonly resolve: (ahead: number) => void
  readonly reject: (error: unknown) => void
}

export const waiting_max = 1000
const look_ms = { min: 5, max: 100 }

/** One query of the table serves all that wait, soon at first and then less and less often while nothing changes. */
export function openReservationQueue(aheadOf: AheadOf): ReservationQueue {
  const waiting = new Set<Waiting>()
  const pause = wakeablePause()
  let looking = false

  async function lookWhileSomeWait(): Promise<void> {
    looking = true
    let pause_ms = look_ms.min
    while (waiting.size > 0) {
      await pause.for(pause_ms)
      const hasMoved = await lookOnce(waiting, aheadOf)
      pause_ms = hasMoved ? look_ms.min : Math.min(pause_ms * 2, look_ms.max)
    }
    looking = false
  }

  return {
    shorter(reservation, ahead, until) {
      if (waiting.size >= waiting_max) return Promise.reject(unavailable(`${waiting_max} others wait already`))
      return new Promise((resolve, reject) => {
        waiting.add({ reservation, ahead, until, resolve, reject })
        if (!looking) void lookWhileSomeWait()
      })
    },
    look: () => pause.end(),
    close() {
      for (const { reject } of waiting) reject(unavailable('No more reservations are taken'))
      waiting.clear()
      pause.end()
    },
  }
}

/** Whether any wait is over. Never rejects: if the query fails, all the waits it was for reject. */
async function lookOnce(waiting: Set<Waiting>, aheadOf: AheadOf): Promise<boolean> {
  const looked = [...waiting]
  if (looked.length === 0) return false
  let hasMoved = false
  const leave = (one: Waiting, settle: () => void): void => {
    if (!waiting.delete(one)) return
    hasMoved = true
    settle()
  }
  try {
    const counts = await aheadOf(looked.map(({ reservation }) => reservation))
    for (const [index, one] of looked.entries()) {
      const ahead = counts[index]
      if (ahead === undefined) leave(one, () => one.reject(unavailable('The reservation has lapsed')))
      else if (ahead < one.ahead) leave(one, () => one.resolve(ahead))
      else if (performance.now() > one.until)
        leave(one, () => one.reject(unavailable(`${ahead} others are being admitted, and do not come to an end`)))
    }
  } catch (error) {
    for (const one of looked) leave(one, () => one.reject(asReservationsUnavailable(error)))
  }
  return hasMoved
}

const unavailable = (message: string): ReservationsUnavailable => new ReservationsUnavailable(message)

/** A pause that can be ended early: the current one, or otherwise the next. */
function wakeablePause(): { for(ms: number): Promise<void>; end(): void } {
  let isOver = false
  let end = (): void => void (isOver = true)
  return {
    for: (ms) =>
      new Promise((resolve) => {
        const finish = (): void => {
          clearTimeout(timer)
          isOver = false
          end = () => void (isOver = true)
          resolve()
        }
        const timer = setTimeout(finish, isOver ? 0 : ms)
        end = finish
      }),
    end: () => end(),
  }
}
