import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { unfinishedProjection } from '../../projections/unfinished/projector.ts'
import { unfinishedQueries } from '../../projections/unfinished/queries.ts'
import { account } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const future = timestamp(Date.UTC(2030, 0, 1))
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))
const open = async () =>
  (await unfinishedQueries(the.database).before(future, 100)).map(({ process, key }) => `${process} ${key}`)

beforeAll(async () => {
  the = await world()
  projector = await the.projector([unfinishedProjection])
})

afterAll(() => the.close())

/** Each test begins with no unfinished steps. */
beforeEach(async () => {
  await the.rows('delete from unfinished.steps')
})

const of = (addressHash: string, number: number) => ({ addressHash, accountId: account(number) })
const replacing = (replaces: string | undefined) => (replaces === undefined ? {} : { replaces })
const claimed = (hash: string, number: number, replaces?: string): AnyEvent => ({
  type: 'EmailAddressClaimed',
  data: { ...of(hash, number), ...replacing(replaces) },
})
const awaited = (hash: string, number: number, replaces?: string): AnyEvent => ({
  type: 'EmailAddressAwaited',
  data: { ...of(hash, number), ...replacing(replaces) },
})
const taken = (hash: string, number: number): AnyEvent => ({
  type: 'EmailAddressClaimed',
  data: { ...of(hash, number), awaited: true },
})
const released = (hash: string, number: number): AnyEvent => ({ type: 'EmailAddressReleased', data: of(hash, number) })
const left = (hash: string, number: number): AnyEvent => ({
  type: 'EmailAddressNoLongerAwaited',
  data: of(hash, number),
})

describe('an address that two accounts have', () => {
  it('is replaced once its own account gives it up, whatever the other one does', async () => {
    await happens(claimed('hash-1', 1, 'hash-0'), awaited('hash-2', 2, 'hash-0'))
    await happens(released('hash-0', 1))
    expect(await open()).toStrictEqual([`address_claim hash-2 ${account(2)}`])
    await happens(left('hash-0', 2))
    expect(await open()).toStrictEqual([])
  })

  it('is waited for in a step that ends when the account gives it up, or the one that it replaces', async () => {
    await happens(claimed('hash-1', 3), awaited('hash-1', 1), awaited('hash-1', 2, 'hash-0'))
    expect((await open()).toSorted()).toStrictEqual([
      'address_claim hash-1',
      `address_claim hash-1 ${account(1)}`,
      `address_claim hash-1 ${account(2)}`,
    ])
    await happens(left('hash-1', 1), released('hash-0', 2))
    expect(await open()).toStrictEqual(['address_claim hash-1'])
  })

  it('passes to the account that waited, whose step goes on', async () => {
    await happens(claimed('hash-1', 3), awaited('hash-1', 2, 'hash-0'))
    await happens(released('hash-1', 3), taken('hash-1', 2))
    expect(await open()).toStrictEqual([`address_claim hash-1 ${account(2)}`])
    await happens(released('hash-1', 2))
    expect(await open()).toStrictEqual([])
  })
})
