import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import type { Passwords } from '../../application/ports/passwords.js'
import { Unavailable } from '../../application/ports/unavailable.js'

/** argon2id, 19 MiB, two passes, one lane: some 10 ms of one core. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * Hashes at work at once: one core is left to everything else, so that a burst of logins is not felt by others, and one of the
 * four threads that Node has for files and names too. Each takes 19 MiB.
 */
export const hashesAtWork_max = Math.min(3, Math.max(1, availableParallelism() - 1))
/** Hashes that wait. A longer queue would be one that nobody waits out. */
export const hashesWaiting_max = 500

/** Too many passwords wait to be hashed. */
export class TooManyPasswords extends Unavailable {
  override readonly name = 'TooManyPasswords'
}

/** What stands for the hash of an account without a password: of random bytes that nobody has, at the same cost. */
const nobodysHash = '$argon2id$v=19$m=19456,t=2,p=1$Xnx6kacZSY3Yf5PPIXBFFQ$6tU3kI/TgUn5cyyaeXlNw4XyP8obqFOHEw6s4pDigMA'

/** Hashes with argon2id, a few at a time. Rejects with TooManyPasswords where the queue is full. */
export function argon2Passwords(): Passwords {
  const inTurn = turns(hashesAtWork_max, hashesWaiting_max)
  return {
    hash: (password) => inTurn(() => hash(password, cost)),
    verify: (password, encoded) =>
      inTurn(async () => {
        const isRight = await verify(encoded ?? nobodysHash, password)
        return isRight && encoded !== null
      }),
  }
}

/** Runs at most `atWork_max` tasks at once, the others in the order in which they came. */
function turns(atWork_max: number, waiting_max: number) {
  const waiting: (() => void)[] = []
  let atWork = 0
  return async <Result>(task: () => Promise<Result>): Promise<Result> => {
    if (atWork >= atWork_max) {
      if (waiting.length >= waiting_max) throw new TooManyPasswords(`${waiting_max} passwords wait to be hashed`)
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else atWork += 1
    try {
      return await task()
    } finally {
      // Whoever is next takes over this turn.
      const next = waiting.shift()
      if (next) next()
      else atWork -= 1
    }
  }
}
