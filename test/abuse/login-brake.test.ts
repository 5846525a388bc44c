import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../domain/kernel/refusal.ts'
import { expectFields, expectRefusal } from '../operations/support/answers.ts'
import { openServer } from '../operations/support/scene.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { testContext } from '../support/test-context.ts'
import type { TestAccount, TestAnswer } from '../support/test-guildhall.ts'

/** A stranger who tries passwords locks out other strangers, but not the owner of the account. */

const guildhall = await openServer({ trustedProxies: ['127.0.0.1'], rateLimits: true })
/** Each test uses new networks, because tries are counted by network too. */
let networks = 0
const newAddress = (): string => `198.51.${(networks += 1)}.7`

let ada: TestAccount
let home: string

interface From {
  readonly ip: string
  readonly password?: string
  readonly session?: string
}

function tryIn({ ip, password = ada.password, session }: From, email = ada.email): Promise<TestAnswer> {
  const headers = { 'x-forwarded-for': ip }
  const credential = session === undefined ? {} : { token: session }
  return guildhall.request('POST', '/v1/auth/login', { ...credential, headers, body: { email, password } })
}

/** Five wrong tries from a stranger's network. */
async function pullBrake(email = ada.email): Promise<void> {
  const ip = newAddress()
  for (let tries = 0; tries < 5; tries += 1)
    expect((await tryIn({ ip, password: 'a wrong password' }, email)).status).toBe(400)
  expectRefusal(await tryIn({ ip, password: 'a wrong password' }, email), 429, 'RATE_LIMITED')
}

beforeEach(async () => {
  ada = await guildhall.register()
  home = newAddress()
  expect((await tryIn({ ip: home })).status).toBe(200)
  // Removes these tries from the brake.
  await guildhall.ports.allowances.reset('login of address', guildhall.ports.addressHash(ada.email))
})

describe('five wrong tries of a stranger', () => {
  it('lock out strangers, whatever their password', async () => {
    await pullBrake()
    expectRefusal(await tryIn({ ip: newAddress() }), 429, 'RATE_LIMITED')
    expectRefusal(await tryIn({ ip: newAddress(), password: 'a wrong password' }), 429, 'RATE_LIMITED')
  })

  it('let in a login from a network that the account has signed in from', async () => {
    await pullBrake()
    expect((await tryIn({ ip: home })).status).toBe(200)
  })

  it('let in a neighbour in the same /64, and nobody from another', async () => {
    const [here, neighbour, elsewhere] = ['2001:db8:0:1::5', '2001:db8:0:1:aaaa::6', '2001:db8:0:2::5']
    expect((await tryIn({ ip: here })).status).toBe(200)
    await guildhall.ports.allowances.reset('login of address', guildhall.ports.addressHash(ada.email))
    await pullBrake()
    expect((await tryIn({ ip: neighbour })).status).toBe(200)
    expectRefusal(await tryIn({ ip: elsewhere }), 429, 'RATE_LIMITED')
  })

  it('let in a login that sends a session of the account, from anywhere, and nobody with another session', async () => {
    const eve = await guildhall.register()
    await pullBrake()
    expect((await tryIn({ ip: newAddress(), session: ada.token })).status).toBe(200)
    expectRefusal(await tryIn({ ip: newAddress(), session: eve.token }), 429, 'RATE_LIMITED')
    await guildhall.request('POST', '/v1/auth/logout', { token: ada.token })
    expectRefusal(await tryIn({ ip: newAddress(), session: ada.token }), 429, 'RATE_LIMITED')
  })

  it('let in nobody from a network that the account has forgotten', async () => {
    const context = testContext()
    const id = accountId(snowflake(ada.id))
    await guildhall.ports.aggregates.account.execute(id, { type: 'ForgetIpAddresses' }, context)
    await pullBrake()
    expectRefusal(await tryIn({ ip: home }), 429, 'RATE_LIMITED')
  })
})

describe('a known device', () => {
  it('gets the same answer to a wrong password as a stranger, so nobody learns who signs in from where', async () => {
    await pullBrake()
    const [atHome, elsewhere] = [
      await tryIn({ ip: home, password: 'a wrong password' }),
      await tryIn({ ip: newAddress(), password: 'a wrong password' }),
    ]
    for (const answer of [atHome, elsewhere]) expectRefusal(answer, 429, 'RATE_LIMITED')
    expect(Object.keys(atHome.body as object).toSorted()).toStrictEqual(
      Object.keys(elsewhere.body as object).toSorted(),
    )
    const nobody = 'nobody@example.com'
    await pullBrake(nobody)
    expectRefusal(await tryIn({ ip: home, password: 'a wrong password' }, nobody), 429, 'RATE_LIMITED')
  })

  it('can try no more than five passwords itself', async () => {
    await pullBrake()
    for (let tries = 0; tries < 5; tries += 1) await tryIn({ ip: home, password: 'a wrong password' })
    expectRefusal(await tryIn({ ip: home }), 429, 'RATE_LIMITED')
    // Another known device has a brake of its own.
    expect((await tryIn({ ip: newAddress(), session: ada.token })).status).toBe(200)
  })

  it('counts towards its network like everybody there', async () => {
    await pullBrake()
    for (let tries = 0; tries < 9; tries += 1) {
      const other = `somebody${tries}@example.com`
      expectFields(
        await tryIn({ ip: home, password: 'a wrong password' }, other),
        field('email', 'INVALID_EMAIL_OR_PASSWORD'),
        field('password', 'INVALID_EMAIL_OR_PASSWORD'),
      )
    }
    expectRefusal(await tryIn({ ip: home }), 429, 'RATE_LIMITED')
  })
})
