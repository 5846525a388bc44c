import type { PoolClient } from 'pg'
import { randomInt } from 'node:crypto'
import type { Elector } from '../../../application/concurrency/elector.ts'
import { aborted } from '../../../application/concurrency/pauses.ts'

/**
 * The number under which this process takes turns. From the first turn on, the process holds an advisory lock on that number, so that
 * others see at once when it has died.
 */
export interface Holder {
  /** Undefined while the lock is not held. Turns taken then end by the clock alone. */
  number(): number | undefined
  /** Releases the lock. Call it when no turn is held any more. */
  close(): void
}

/** 'GHID' in ASCII, read as a number; the second key is the holder's number. */
export const holderClass = 1_195_919_684

/** `elector`: on a database opened with `holdsLocks`. */
export function holderOver(elector: Elector<PoolClient>, onError: (error: unknown) => void): Holder {
  const closing = new AbortController()
  let isOpen = false
  let held: number | undefined
  const hold = async (): Promise<void> => {
    const number = randomInt(1, 2 ** 31)
    const taken = await elector.tryLead([holderClass, number], async ({ lost }) => {
      held = number
      await aborted(AbortSignal.any([lost, closing.signal]))
      held = undefined
    })
    if (!taken) throw new Error('Two processes have drawn one number')
  }
  return {
    number() {
      if (!isOpen && !closing.signal.aborted) {
        isOpen = true
        void hold()
          .catch(onError)
          .finally(() => (isOpen = false))
      }
      return held
    },
    close: () => closing.abort(),
  }
}
