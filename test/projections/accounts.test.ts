import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccountEvent } from '../../domain/account/events.js'
import { accountsProjection } from '../../projections/accounts/projector.js'
import { accountQueries } from '../../projections/accounts/queries.js'
import { account, after, registered, start } from './support/people.js'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.js'

let the: World
let projector: TestProjector
const queries = () => accountQueries(the.database)
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

beforeAll(async () => {
  the = await world()
  projector = await the.projector([accountsProjection])
})

afterAll(() => the.close())

const signedIn = (number: number, tokenHash: string): AccountEvent => ({
  type: 'SessionStarted',
  data: { accountId: account(number), tokenHash, startedAt: after(1), ip: '192.0.2.1', userAgent: 'test' },
})

describe('accounts', () => {
  it('are found as they registered', async () => {
    await happens(registered(1, { globalName: 'Ada', emailVerified: true }))
    expect(await queries().find(account(1))).toStrictEqual({
      id: account(1),
      username: 'User1',
      discriminator: 1,
      globalName: 'Ada',
      email: 'user1@example.org',
      emailVerified: true,
      hasPassword: true,
      dateOfBirth: '1990-12-10',
      locale: 'en-US',
      flags: '0',
      bot: false,
      acls: [],
      registeredAt: start,
    })
    expect(await queries().find(account(99))).toBe(undefined)
  })

  it('need no e-mail address, password or date of birth', async () => {
    await happens(registered(2, { email: null, passwordHash: null, dateOfBirth: null }))
    const found = await queries().find(account(2))
    expect(found).toMatchObject({ email: null, hasPassword: false, dateOfBirth: null })
  })

  it('are found many at a time', async () => {
    await happens(registered(3), registered(4))
    const found = await queries().findMany([account(3), account(98), account(4), account(3)])
    expect(found.map(({ id }) => id).toSorted()).toStrictEqual([account(3), account(4)])
    expect(await queries().findMany([])).toStrictEqual([])
  })

  it('are found by their tag, in any case', async () => {
    await happens(registered(5, { username: 'Grace_Hopper', discriminator: 42 }))
    expect((await queries().byTag('gRACE_hopper', 42))?.id).toBe(account(5))
    expect(await queries().byTag('Grace_Hopper', 43)).toBe(undefined)
  })

  it('hold the ACLs that they were granted last', async () => {
    await happens(registered(6), {
      type: 'AclsGranted',
      data: { accountId: account(6), acls: ['audit_log:view', 'a"b'] },
    })
    expect((await queries().find(account(6)))?.acls).toStrictEqual(['audit_log:view', 'a"b'])
  })

  it('are found by a session from its start to its end', async () => {
    await happens(registered(7), signedIn(7, 'hash-1'), signedIn(7, 'hash-2'))
    expect((await queries().bySession('hash-1'))?.id).toBe(account(7))
    await happens({ type: 'SessionEnded', data: { accountId: account(7), tokenHash: 'hash-1' } })
    expect(await queries().bySession('hash-1')).toBe(undefined)
    expect((await queries().bySession('hash-2'))?.id).toBe(account(7))
    expect(await queries().bySession('')).toBe(undefined)
  })
})
