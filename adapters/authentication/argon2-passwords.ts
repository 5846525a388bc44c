import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { fairQueue, turnOf } from '../../application/commands/fair-queue.ts'
import type { Asker, Turn } from '../../application/ports/asker.ts'
import type { Passwords, PasswordVerdict } from '../../application/ports/passwords.ts'
import { Unavailable } from '../../application/failures/unavailable.ts'
import { preparedPassword } from '../../domain/account/password.ts'

/** The cost of one hash: KiB of memory, and passes over it. */
export interface HashingCost {
  readonly memoryCost: number
  readonly timeCost: number
}

/** argon2id with 19 MiB, two passes and one lane: some 10 ms of one core. */
const stockCost: HashingCost = { memoryCost: 19_456, timeCost: 2 }

/**
 * The most hashes that run at once. One core stays free, so that a burst of logins does not slow down everything else. One of
 * Node's four pool threads stays free for files and host names. Each hash takes 19 MiB.
 */
export const hashesAtWork_max = Math.min(3, Math.max(1, availableParallelism() - 1))
/** The most hashes that wait. Callers would give up before a longer queue was done. */
export const hashesWaiting_max = 500

/** Too many passwords wait to be hashed. */
export class TooManyPasswords extends Unavailable {
  override readonly name = 'TooManyPasswords'
  override readonly part = 'passwords'
}

/** Stands in for the hash of an account without a password. It is the hash of discarded random bytes, at the same cost. */
const nobodysHash = '$argon2id$v=19$m=19456,t=2,p=1$Xnx6kacZSY3Yf5PPIXBFFQ$6tU3kI/TgUn5cyyaeXlNw4XyP8obqFOHEw6s4pDigMA'

/**
 * Hashes with argon2id, a few at a time. The waiting hashes take turns by address, and within an address by account. When too
 * many wait, the address and account with the most waiting loses its newest one: that hash rejects with TooManyPasswords. Only
 * tests pass another cost.
 */
export function argon2Passwords(cost: HashingCost = stockCost): Passwords {
  const inTurn = turns(hashesAtWork_max, hashesWaiting_max)
  return {
    hash: (password, asker) => inTurn(asker, 1, () => hash(preparedPassword(password), { ...cost, parallelism: 1 })),
    verify(password, encoded, asker) {
      const prepared = preparedPassword(password)
      const tries = prepared === password ? [prepared] : [prepared, password]
      return inTurn(asker, tries.length, () => verdict(tries, encoded))
    },
  }
}

/** Whether the hash is of the first text, which is prepared, or of a later one. */
async function verdict(texts: readonly string[], encoded: string | null): Promise<PasswordVerdict> {
  for (const [index, text] of texts.entries()) {
    const isRight = await verify(encoded ?? nobodysHash, text)
    if (isRight && encoded !== null) return index === 0 ? 'right' : 'right as typed'
  }
  return 'wrong'
}

interface Waiting {
  readonly begin: () => void
  readonly giveUp: (error: TooManyPasswords) => void
}

/** Runs at most `atWork_max` tasks at once, each of a number of hashes. The others wait for their turn. */
function turns(atWork_max: number, waiting_max: number) {
  const waiting = fairQueue<Waiting>(waiting_max)
  let atWork = 0

  function wait(turn: Turn): Promise<void> {
    return new Promise((begin, giveUp) => {
      const shed = waiting.push(turn, { begin, giveUp })
      shed?.giveUp(new TooManyPasswords(`${waiting_max} passwords wait to be hashed`))
    })
  }

  return async <Result>(asker: Asker, hashes: number, task: () => Promise<Result>): Promise<Result> => {
    const turn = turnOf(asker)
    if (atWork >= atWork_max) await wait(turn)
    else atWork += 1
    waiting.charge(turn, hashes)
    try {
      return await task()
    } finally {
      // The next task takes over this slot.
      const next = waiting.shift()
      if (next) next.begin()
      else atWork -= 1
    }
  }
}
