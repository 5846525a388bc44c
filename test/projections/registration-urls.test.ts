import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registrationUrlId, type RegistrationUrlId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import type { RegistrationUrlTerms } from '../../domain/registration-url/events.ts'
import { accountsProjection } from '../../projections/accounts/projector.ts'
import { registrationQueries } from '../../projections/registration-urls/queries.ts'
import { registrationUrlsProjection } from '../../projections/registration-urls/projector.ts'
import { account, after, registered, start } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const queries = () => registrationQueries(the.database)
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

beforeAll(async () => {
  the = await world()
  projector = await the.projector([accountsProjection, registrationUrlsProjection])
})
afterAll(() => the.close())

const url = (number: number): RegistrationUrlId => registrationUrlId(snowflake(`7000${number}`))
const terms = (number: number, more: Partial<RegistrationUrlTerms> = {}): RegistrationUrlTerms => ({
  registrationUrlId: url(number),
  codeHash: `hash ${number}`,
  label: null,
  createdBy: null,
  createdAt: after(number),
  expiresAt: null,
  maxUses: null,
  approvalRequired: false,
  ...more,
})
const made = (number: number, more: Partial<RegistrationUrlTerms> = {}): AnyEvent => ({
  type: 'RegistrationUrlCreated',
  data: terms(number, more),
})
const used = (number: number, by: number, useCount: number): AnyEvent => ({
  type: 'RegistrationUrlUsed',
  data: { registrationUrlId: url(number), accountId: account(by), useCount },
})
const returned = (number: number, by: number, useCount: number): AnyEvent => ({
  type: 'RegistrationUrlUseReturned',
  data: { registrationUrlId: url(number), accountId: account(by), useCount },
})
const revoked = (number: number): AnyEvent => ({
  type: 'RegistrationUrlRevoked',
  data: { registrationUrlId: url(number) },
})
const found = async (number: number) => (await queries().urls()).find(({ id }) => id === url(number))

describe('a registration URL', () => {
  it('is listed as it was created, the newest first, and found by the hash of its code', async () => {
    const offer = { label: 'Summer', createdBy: account(1), expiresAt: after(3600), maxUses: 5, approvalRequired: true }
    await happens(made(1), made(2, offer))
    const plain = { label: null, createdBy: null, expiresAt: null, maxUses: null, approvalRequired: false }
    const unused = { useCount: 0, revokedAt: null, lastUsedAt: null, lastUsedBy: null }
    expect(await queries().urls()).toStrictEqual([
      { id: url(2), createdAt: after(2), ...offer, ...unused },
      { id: url(1), createdAt: after(1), ...plain, ...unused },
    ])
    expect(await queries().urlByCode('hash 2')).toBe(url(2))
    expect(await queries().urlByCode('HASH 2')).toBe(undefined)
  })

  it('shows how often it was used, and by whom last: who has registered with it', async () => {
    await happens(made(3), used(3, 31, 1), registered(31, { registrationUrlId: url(3), registeredAt: after(31) }))
    await happens(used(3, 32, 2), returned(3, 32, 1))
    expect(await found(3)).toMatchObject({ useCount: 1, lastUsedAt: after(31), lastUsedBy: account(31) })
  })

  it('shows when it was revoked', async () => {
    await happens(made(4))
    expect(await found(4)).toMatchObject({ revokedAt: null })
    await happens(revoked(4))
    expect((await found(4))?.revokedAt).toMatch(/^2026-01-01T/)
  })
})

describe('an account that waits for approval', () => {
  const waits = (number: number, registeredAt = start): AnyEvent =>
    registered(number, {
      awaitsApproval: true,
      clientIp: '203.0.113.7',
      registrationUrlId: url(3),
      username: `waiting_${number}`,
      registeredAt,
    })
  const pending = async () => (await queries().pending()).map(({ username }) => username)

  it('is listed with what an operator needs for the decision, the longest waiting first, without others', async () => {
    await happens(waits(51, after(2)), waits(52, after(1)), registered(53))
    const [first, second, ...others] = await queries().pending()
    expect(others).toStrictEqual([])
    expect(first?.username).toBe('waiting_52')
    expect(second).toMatchObject({
      accountId: account(51),
      requestedAt: after(2),
      registrationUrlId: url(3),
      clientIp: '203.0.113.7',
    })
  })

  it('is listed until the decision; then its origin is forgotten', async () => {
    await happens(waits(54), waits(55))
    await happens({ type: 'RegistrationApproved', data: { accountId: account(54) } })
    await happens({ type: 'RegistrationRejected', data: { accountId: account(55) } })
    expect(await pending()).not.toContain('waiting_54')
    expect(await pending()).not.toContain('waiting_55')
    const rows = await the.rows(`select admission, registered_from from accounts.accounts where id in
      (${account(54)}, ${account(55)}) order by id`)
    expect(rows).toStrictEqual([
      { admission: 'admitted', registered_from: null },
      { admission: 'rejected', registered_from: null },
    ])
  })
})
