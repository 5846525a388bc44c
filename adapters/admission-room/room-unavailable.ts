import { Unavailable } from '../../application/ports/unavailable.js'

/** Whether there is room can't be told right now: Postgres can't be had, or those before don't come to an end. Nothing was done. */
export class AdmissionRoomUnavailable extends Unavailable {
  override readonly name = 'AdmissionRoomUnavailable'
  override readonly part = 'admission room'
}

/** What is unavailable to the room, as the room's own: what it could not tell has written nothing. Other errors as they are. */
export function asTheRoomsOwn(error: unknown): unknown {
  return error instanceof Unavailable && !(error instanceof AdmissionRoomUnavailable)
    ? new AdmissionRoomUnavailable('The admission room has lost its Postgres', { cause: error })
    : error
}
