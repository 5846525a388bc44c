import { Unavailable } from '../../application/ports/unavailable.js'

/** Whether there is a place left can't be told right now: Postgres can't be had, or those before don't come to an end. Nothing was done. */
export class ReservationsUnavailable extends Unavailable {
  override readonly name = 'ReservationsUnavailable'
  /** The name that metrics and health pages give to reservations. */
  override readonly part = 'admission room'
}

/** What is unavailable to reservations, as their own error: what they could not tell has written nothing. Gives other errors as they are. */
export function asReservationsUnavailable(error: unknown): unknown {
  return error instanceof Unavailable && !(error instanceof ReservationsUnavailable)
    ? new ReservationsUnavailable('Reservations have lost their Postgres', { cause: error })
    : error
}
