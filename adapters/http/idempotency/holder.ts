import { randomInt } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'

/**
 * The number under which this process takes turns. The process holds an advisory lock on that number while it takes turns, so
 * that others see at once when it has died.
 */
export interface Holder {
  /** Undefined while the lock is not held. Turns taken then end by the clock alone. */
  number(): number | undefined
  /** Releases the lock. Call it when no turn is held any more. */
  rest(): void
  close(): void
}

/** 'GHID' in ASCII, read as a number; the second key is the holder's number. */
export const holderClass = 1_195_919_684
const taken = z.object({ rows: z.tuple([z.object({ taken: z.boolean() })]) })

/** `pool`: one opened with `holdsLocks`. One of its connections is held from the first turn until `rest`. */
export function holderOver(pool: Pool, onError: (error: unknown) => void): Holder {
  let held: { readonly number: number; readonly client: PoolClient } | undefined
  let isOpening = false
  let isClosed = false
  const open = async (): Promise<void> => {
    const client = await pool.connect()
    const lost = (): void => {
      if (held?.client === client) letGo()
    }
    client.on('error', lost).on('end', lost)
    try {
      const number = randomInt(1, 2 ** 31)
      const answer = await client.query('select pg_try_advisory_lock($1, $2) as taken', [holderClass, number])
      if (!taken.parse(answer).rows[0].taken) throw new Error('Two processes have drawn one number')
      held = { number, client }
      if (isClosed) letGo()
    } catch (error) {
      client.release(true)
      throw error
    }
  }
  const letGo = (): void => {
    const client = held?.client
    held = undefined
    // Closes the connection, which releases the lock.
    client?.release(true)
  }
  return {
    number() {
      if (held === undefined && !isOpening && !isClosed) {
        isOpening = true
        void open()
          .catch(onError)
          .finally(() => (isOpening = false))
      }
      return held?.number
    },
    rest: letGo,
    close() {
      isClosed = true
      letGo()
    },
  }
}
