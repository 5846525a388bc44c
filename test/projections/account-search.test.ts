import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccountEvent } from '../../domain/account/events.ts'
import { accountSearchProjection } from '../../projections/account-search/projector.ts'
import { accountSearchQueries } from '../../projections/account-search/queries.ts'
import { account, registered, start } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const queries = () => accountSearchQueries(the.database)
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))
const page = { limit: 50, offset: 0 }

beforeAll(async () => {
  the = await world()
  projector = await the.projector([accountSearchProjection])
})

afterAll(() => the.close())

const erased = (number: number): AccountEvent => ({
  type: 'AccountErasureStarted',
  data: {
    accountId: account(number),
    username: `User${number}`,
    addressHash: null,
    identityHashes: [],
    startedAt: start,
  },
})

/** The numbers of the accounts that are found, and how many there are. */
const found = async (text: string, inAddresses = false, except?: number) => {
  const searched = { text, inAddresses, except: except === undefined ? undefined : account(except) }
  const { ids, total } = await queries().matching(searched, page)
  expect(total).toBe(ids.length)
  return ids.map((id) => Number(BigInt(id) - BigInt(account(0))))
}

describe('accounts are found', () => {
  it('newest first and counted, with none before the first', async () => {
    expect(await queries().newest(page)).toStrictEqual({ ids: [], total: 0 })
    await happens(registered(1), registered(2), registered(3))
    expect(await queries().newest(page)).toStrictEqual({ ids: [account(3), account(2), account(1)], total: 3 })
    expect(await queries().newest({ limit: 1, offset: 1 })).toStrictEqual({ ids: [account(2)], total: 3 })
    expect(await queries().newest({ limit: 1, offset: 3 })).toStrictEqual({ ids: [], total: 3 })
  })

  it('by any part of a username from three characters on, and by its beginning below that', async () => {
    await happens(registered(11, { username: 'Ada_Lovelace', email: 'x@example.org' }))
    for (const text of ['ada_lovelace', 'lov', 'a_l', 'ace', 'ad', 'a']) expect(await found(text)).toStrictEqual([11])
    for (const text of ['lo', 'e', 'ada lovelace', 'adalove']) expect(await found(text)).toStrictEqual([])
  })

  it('by a text as it is: wildcards match themselves', async () => {
    await happens(registered(12, { username: 'under_score' }), registered(13, { username: 'underXscore' }))
    expect(await found('r_s')).toStrictEqual([12])
    for (const text of ['%', '_', '___', '%%%', 'und%ore', 'un%', '\\', '\\\\\\', 'r\\_s'])
      expect(await found(text)).toStrictEqual([])
  })

  it('by the beginning of an address, only where addresses are searched', async () => {
    await happens(registered(14, { username: 'nobody', email: 'grace@navy.example' }))
    for (const text of ['g', 'grace', 'grace@navy.example']) {
      expect(await found(text, true)).toStrictEqual([14])
      expect(await found(text)).toStrictEqual([])
    }
    expect(await found('navy', true)).toStrictEqual([])
    expect(await found('grace%', true)).toStrictEqual([])
  })

  it('but not one that is left out', async () => {
    expect(await found('under', false, 12)).toStrictEqual([13])
    expect(await found('under', true, 99)).toStrictEqual([13, 12])
  })

  it('by their newest name and address alone', async () => {
    const accountId = account(15)
    await happens(
      registered(15, { username: 'Before', email: 'before@example.org' }),
      { type: 'TagChanged', data: { accountId, username: 'Afterwards', discriminator: 7 } },
      {
        type: 'EmailAddressChanged',
        data: { accountId, email: 'later@example.org', verified: true, changedAt: start },
      },
    )
    expect(await found('before', true)).toStrictEqual([])
    expect(await found('terwa')).toStrictEqual([15])
    expect(await found('later@', true)).toStrictEqual([15])
  })

  it('by exactly one address, the oldest two of them', async () => {
    const email = 'shared@example.org'
    await happens(registered(18, { email }), registered(16, { email }), registered(17, { email }))
    expect(await queries().withAddress(email)).toStrictEqual([account(16), account(17)])
    expect(await queries().withAddress('shared@')).toStrictEqual([])
  })

  it('no longer once their erasure has begun: no row is left of them', async () => {
    const { total } = await queries().newest(page)
    await happens(registered(19, { username: 'Vanished', email: 'vanished@example.org' }))
    expect(await found('vanished', true)).toStrictEqual([19])
    await happens(erased(19))
    expect(await found('vanished', true)).toStrictEqual([])
    expect(await queries().withAddress('vanished@example.org')).toStrictEqual([])
    expect((await queries().newest(page)).total).toBe(total)
    expect(await the.rows(`select id from account_search.accounts where id = ${account(19)}`)).toStrictEqual([])
  })

  it('with a total that is the number of rows', async () => {
    expect(await the.rows('select accounts::int4 from account_search.totals')).toStrictEqual(
      await the.rows('select count(*)::int4 as accounts from account_search.accounts'),
    )
  })
})

describe('the index for parts of names', () => {
  it('is there, and a selective search uses it', async () => {
    expect(await queries().canSearch()).toBe(true)
    await the.rows(
      `insert into account_search.accounts (id, username) select i, md5(i::text) from generate_series(1, 20000) i`,
    )
    await the.rows('vacuum analyze account_search.accounts')
    const [first, ...others] = await the.rows(
      `explain select count(*) from account_search.accounts where username like '%abcdef%'`,
    )
    expect(JSON.stringify([first, ...others])).toContain('accounts_by_part')
  })
})

describe('a Postgres without the extension pg_trgm', () => {
  it('has every row, and search is off until the extension is there and the read model is made again', async () => {
    const without = await world()
    await without.rows('drop extension pg_trgm')
    const runner = await without.projector([accountSearchProjection])
    await runner.reached(await without.happens(registered(1)))
    const { canSearch, withAddress } = accountSearchQueries(without.database)
    expect(await canSearch()).toBe(false)
    expect(await withAddress('user1@example.org')).toStrictEqual([account(1)])
    expect(without.errors).toStrictEqual([])
    await without.close()
  })

  it('may have it in any schema', async () => {
    const elsewhere = await world()
    await elsewhere.rows('create schema "Some place"; alter extension pg_trgm set schema "Some place"')
    const runner = await elsewhere.projector([accountSearchProjection])
    await runner.reached(await elsewhere.happens(registered(1)))
    expect(await accountSearchQueries(elsewhere.database).canSearch()).toBe(true)
    await elsewhere.close()
  })
})
