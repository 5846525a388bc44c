import { hash } from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'
import {
  argon2Passwords,
  hashesAtWork_max,
  hashesWaiting_max,
  TooManyPasswords,
} from '../../../adapters/authentication/argon2-passwords.ts'

const asker = { ip: '192.0.2.1' }
const composed = 'caf\u00e9 au lait'
const decomposed = 'cafe\u0301 au lait'

describe('passwords', () => {
  const passwords = argon2Passwords()

  it('are hashed with argon2id at 19 MiB and two passes, each with a salt of its own', async () => {
    const [one, other] = await Promise.all([passwords.hash('a password', asker), passwords.hash('a password', asker)])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(other).not.toBe(one)
    expect(await passwords.verify('a password', one, asker)).toBe('right')
    expect(await passwords.verify('A password', one, asker)).toBe('wrong')
  })

  it('are the same however their letters are composed', async () => {
    const hashes = [await passwords.hash(composed, asker), await passwords.hash(decomposed, asker)]
    for (const encoded of hashes)
      for (const text of [composed, decomposed]) expect(await passwords.verify(text, encoded, asker)).toBe('right')
  })

  it('are tried as typed too, for hashes from before', async () => {
    const before = await hash(decomposed, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
    expect(await passwords.verify(decomposed, before, asker)).toBe('right as typed')
    expect(await passwords.verify(composed, before, asker)).toBe('wrong')
  })

  it.each([
    ['in their prepared form', 'another'],
    ['in another form', 'anothe\u0301r'],
  ])('take as long to verify for an account without one, and are wrong, %s', async (_, text) => {
    const ofAnother = await passwords.hash('a password', asker)
    const timed = async (given: string | null): Promise<number> => {
      const began = performance.now()
      expect(await passwords.verify(text, given, asker)).toBe('wrong')
      return performance.now() - began
    }
    // The fastest of several, since other work of the machine only adds time.
    const [real, dummy]: [number[], number[]] = [[], []]
    for (let round = 0; round < 8; round += 1) {
      real.push(await timed(ofAnother))
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
    expect(await crowd.verify('x', null, asker)).toBe('wrong')
  })
})
