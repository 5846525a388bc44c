import { ReservationsUnavailable, asReservationsUnavailable } from './reservations-unavailable.js'
import type { Reservation } from './reservation-table.js'

/** Where reservations wait until fewer stand before them. */
export interface Line {
  /**
   * Resolves with how many stand before a reservation, once that is less than `ahead`. Rejects with ReservationsUnavailable
   * where it does not happen until `until`, a time of `performance.now()`, where it can't be known, and where `waiting_max`
   * wait already.
   */
  shorter(reservation: Reservation, ahead: number, until: number): Promise<number>
  /** Looks at once: some reservations were given up. */
  look(): void
  /** Rejects all that wait. */
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

/** One look at the table for all that wait, at first soon and then less and less often while nothing moves. */
export function openLine(aheadOf: AheadOf): Line {
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

/** Whether anybody's wait is over. Never rejects: where the look fails, all that were looked for reject. */
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
    const places = await aheadOf(looked.map(({ reservation }) => reservation))
    for (const [index, one] of looked.entries()) {
      const ahead = places[index]
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

/** A pause that can be ended early: the one that is on, or else the next. */
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
