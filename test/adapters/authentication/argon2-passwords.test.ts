import { describe, expect, it } from 'vitest'
import {
  argon2Passwords,
  hashesAtWork_max,
  hashesWaiting_max,
  TooManyPasswords,
} from '../../../adapters/authentication/argon2-passwords.js'

const asker = { ip: '192.0.2.1' }

describe('passwords', () => {
  const passwords = argon2Passwords()

  it('are hashed with argon2id at 19 MiB and two passes, each with a salt of its own', async () => {
    const [one, other] = await Promise.all([passwords.hash('a password', asker), passwords.hash('a password', asker)])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(other).not.toBe(one)
    expect(await passwords.verify('a password', one, asker)).toBe(true)
    expect(await passwords.verify('A password', one, asker)).toBe(false)
  })

  it('take as long to verify for an account without one, and are wrong', async () => {
    const hash = await passwords.hash('a password', asker)
    const timed = async (given: string | null): Promise<number> => {
      const began = performance.now()
      expect(await passwords.verify('another', given, asker)).toBe(false)
      return performance.now() - began
    }
    // The fastest of several, since other work of the machine only adds time.
    const [real, dummy]: [number[], number[]] = [[], []]
    for (let round = 0; round < 8; round += 1) {
      real.push(await timed(hash))
      dummy.push(await timed(null))
    }
    const ratio = Math.min(...dummy) / Math.min(...real)
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  })

  it('wait in a queue that is bounded', async () => {
    const crowd = argon2Passwords()
    const all = Array.from({ length: hashesAtWork_max + hashesWaiting_max + 1 }, () =>
      crowd.verify('x', 'no hash', asker).then(
        () => 'done',
        (error: Error) => error,
      ),
    )
    const outcomes = await Promise.all(all)
    expect(outcomes.filter((outcome) => outcome instanceof TooManyPasswords)).toHaveLength(1)
    expect(await crowd.verify('x', null, asker)).toBe(false)
  })
})
