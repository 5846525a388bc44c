import { Unavailable } from '../../application/failures/unavailable.ts'

/**
 * It can't be determined right now whether the limit allows another one: Postgres is unavailable, or the acts ahead don't end. Nothing was
 * done.
 */
export class ReservationsUnavailable extends Unavailable {
  override readonly name = 'ReservationsUnavailable'
  /** The name that metrics and health pages give to reservations. */
  override readonly part = 'admission room'
}

/**
 * Turns an Unavailable of the reservations into their own error, which means that nothing was written. Gives other errors as
 * they are.
 */
export function asReservationsUnavailable(error: unknown): unknown {
  return error instanceof Unavailable && !(error instanceof ReservationsUnavailable)
    ? new ReservationsUnavailable('Reservations have lost their Postgres', { cause: error })
    : error
}
