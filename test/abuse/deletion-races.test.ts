import { afterAll, describe, expect, it } from 'vitest'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { crowd } from '../operations/support/answers.ts'
import { deletionIsDue, erase } from '../operations/support/erasure.ts'
import { openServer } from '../operations/support/scene.ts'
import { laidDatabase } from '../support/test-database.ts'
import type { TestAccount } from '../support/test-guildhall.ts'

/** An account comes back at the moment when its erasure starts. See also scheduled-deletion-races.test.ts. */

const kept = await laidDatabase()
afterAll(() => kept.close())
const guildhall = await openServer({ connection: kept.connection })

const login = ({ email, password }: TestAccount) =>
  guildhall.request('POST', '/v1/auth/login', { body: { email, password } })
const stateOf = async ({ id }: TestAccount) =>
  (await guildhall.ports.aggregates.account.load(accountId(snowflake(id)))).state.status

describe('an account whose deletion is due', () => {
  it('has one winner when its holder signs in while two workers erase it', async () => {
    const people = await crowd(guildhall, 8)
    for (const person of people) await deletionIsDue(guildhall, person)
    const outcomes = await Promise.all(
      people.map(async (person) => {
        const [first, second, { status, body }] = await Promise.all([
          erase(guildhall, person),
          erase(guildhall, person),
          login(person),
        ])
        return { person, erasures: [first, second].filter(Boolean).length, status, body, state: await stateOf(person) }
      }),
    )
    for (const { person, erasures, status, body, state } of outcomes) {
      expect([state, status]).toEqual(state === 'erased' ? ['erased', 400] : ['registered', 200])
      // Two workers that erase one account do so only once. The server's own worker may have come before both.
      if (state === 'registered') expect(erasures).toBe(0)
      if (state === 'registered') {
        const { token } = body as { readonly token: string }
        expect((await guildhall.request('GET', '/v1/users/@me', { token })).status).toBe(200)
        expect(await erase(guildhall, person)).toBe(false)
      } else expect((await login(person)).status).toBe(400)
    }
  })
})
