import { describe, expect, it } from 'vitest'
import { argon2Passwords, hashesWaiting_max } from '../../adapters/authentication/argon2-passwords.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { field } from '../../domain/kernel/refusal.ts'
import { expectFields, expectRefusal } from '../operations/support/answers.ts'
import { openServer } from '../operations/support/scene.ts'

/** Wrong passwords that try to delay the password checks of others. */

const guildhall = await openServer({ rateLimits: true })

/** For another guild each time, because the route has a bucket for each guild. */
function remove(token: string, password: string, guild: number) {
  return guildhall.request('POST', `/v1/guilds/${1000 + guild}/delete`, { token, body: { password } })
}

describe('proofs by password in sudo mode', () => {
  it('are hashed 30 times in a minute for one account, for all guilds together, right or wrong', async () => {
    const ada = await guildhall.register()
    let guild = 0
    let answer = await remove(ada.token, ada.password, guild)
    // Half a proof is restored each second, which is what the proofs beyond 30 are.
    while (answer.status !== 429 && guild < 100) answer = await remove(ada.token, ada.password, (guild += 1))
    expectRefusal(answer, 429, 'RATE_LIMITED')
    expect(guild).toBeGreaterThanOrEqual(30)
    expect(answer.headers.get('retry-after')).toMatch(/^[12]$/)
    const brian = await guildhall.register()
    expect((await remove(brian.token, brian.password, 1)).status).not.toBe(429)
  })

  it('look wrong beyond the budget of ten, however many there are', async () => {
    const carol = await guildhall.register()
    for (let guild = 0; guild < 40; guild += 1)
      expectFields(await remove(carol.token, 'another password', guild), field('password', 'INVALID_PASSWORD'))
  })
})

describe('the queue of hashes', () => {
  const attacker = { ip: '192.0.2.1', account: { id: accountId(snowflake('1')) } }

  it('takes turns: a hash waits for no more than one of each other account', async () => {
    const passwords = argon2Passwords()
    let done = 0
    const flood = Promise.all(
      Array.from({ length: 100 }, async () => {
        await passwords.verify('x', null, attacker)
        done += 1
      }),
    )
    await passwords.verify('x', null, { ip: '192.0.2.2' })
    expect(done).toBeLessThan(10)
    await flood
  })

  it('refuses the account that fills it, and not others', async () => {
    const passwords = argon2Passwords({ memoryCost: 8, timeCost: 1 })
    const flood = Array.from({ length: hashesWaiting_max + 10 }, () =>
      passwords.hash('x', attacker).then(
        () => 'done',
        () => 'refused',
      ),
    )
    expect(await passwords.verify('x', null, { ip: '192.0.2.2' })).toBe('wrong')
    expect(await Promise.all(flood)).toContain('refused')
  })
})
