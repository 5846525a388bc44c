import { reject } from '../../../../application/commands/refused.ts'
import { noTurn, type Turn } from '../queues/request-queue.ts'
import { sharesWithin, type Holder, type ShareBounds } from './shares.ts'

/**
 * One request's part of the shared resources: a slot at work, and bytes for its body. It is given back once the request is
 * answered.
 */
export interface RequestShare {
  /** How many bytes of the body are held. */
  readonly held_bytes: number
  /** Makes a turn start, pause and end with the slot at work. */
  follow(turn: Turn): void
  /** Takes a slot at work, if it has none. 503 SERVICE_UNAVAILABLE if there is none for its sender. */
  enter(): void
  /** Gives the slot back while the request waits for its client. */
  leave(): void
  /** Takes space for bytes. 503 SERVICE_UNAVAILABLE if there is none for its sender. */
  hold(bytes: number): void
  /** Sets the sender, before any bytes are held. 503 SERVICE_UNAVAILABLE if the sender has no slot left. */
  belongTo(holder: Holder): void
  free(): void
}

export interface RequestShareBounds {
  /** The bounds of requests at work. */
  readonly slots: ShareBounds
  /** The bounds of bodies, in bytes. */
  readonly bytes: ShareBounds
}

export interface RequestShares {
  /** How many requests are at work. Requests that wait for their body or send their answer do not count. */
  readonly atWork: number
  open(holder: Holder): RequestShare
}

/** Makes the shares of all requests out of one budget. */
export function requestShares(bounds: RequestShareBounds): RequestShares {
  const slots = sharesWithin(bounds.slots)
  const bytes = sharesWithin(bounds.bytes)
  return {
    get atWork() {
      return slots.held
    },
    open(first) {
      let holder = first
      let hasSlot = false
      let held_bytes = 0
      let turn = noTurn
      const takeSlot = (): void => {
        if (!hasSlot && !slots.take(holder, 1)) reject('SERVICE_UNAVAILABLE')
        hasSlot = true
      }
      const giveSlot = (): void => {
        if (hasSlot) slots.give(holder, 1)
        hasSlot = false
      }
      const share: RequestShare = {
        get held_bytes() {
          return held_bytes
        },
        follow(given) {
          turn = given
        },
        enter() {
          takeSlot()
          turn.resume()
        },
        leave() {
          giveSlot()
          turn.pause()
        },
        hold(amount) {
          if (!bytes.take(holder, amount)) reject('SERVICE_UNAVAILABLE')
          held_bytes += amount
        },
        belongTo(next) {
          const hadSlot = hasSlot
          giveSlot()
          holder = next
          if (hadSlot) takeSlot()
        },
        free() {
          giveSlot()
          turn.end()
          bytes.give(holder, held_bytes)
          held_bytes = 0
        },
      }
      return share
    },
  }
}
