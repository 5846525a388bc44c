import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { unfinishedProjection } from '../../projections/unfinished/projector.ts'
import { unfinishedQueries } from '../../projections/unfinished/queries.ts'
import { account, registered } from './support/people.ts'
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

const claimedIdentity = (identityHash: string, number: number): AnyEvent => ({
  type: 'SingleSignOnIdentityClaimed',
  data: { identityHash, accountId: account(number) },
})
const releasedIdentity = (identityHash: string, number: number): AnyEvent => ({
  type: 'SingleSignOnIdentityReleased',
  data: { identityHash, accountId: account(number) },
})
const linkedTo = (identityHash: string, number: number): AnyEvent => ({
  type: 'SingleSignOnLinked',
  data: { accountId: account(number), issuer: 'https://id.example.com', identityHash, linkedAt: future },
})

const unlinkedFrom = (identityHash: string, number: number): AnyEvent => ({
  type: 'SingleSignOnUnlinked',
  data: {
    accountId: account(number),
    issuer: 'https://id.example.com',
    identityHash,
    unlinkedAt: future,
    othersStay: false,
  },
})

describe('a claim', () => {
  it('of an identity at a provider ends when its account is linked to it, or it is released', async () => {
    await happens(claimedIdentity('hash-1', 1), claimedIdentity('hash-2', 2), claimedIdentity('hash-3', 3))
    await happens(registered(1))
    expect(await open()).toHaveLength(3)
    await happens(linkedTo('hash-1', 1), releasedIdentity('hash-3', 3))
    expect(await open()).toStrictEqual(['identity_claim hash-2'])
  })

  it('of an identity that its account has lost ends when it is released, or linked again', async () => {
    await happens(unlinkedFrom('hash-1', 1), unlinkedFrom('hash-2', 2), unlinkedFrom('hash-3', 3))
    expect(await open()).toHaveLength(3)
    await happens(linkedTo('hash-1', 1), releasedIdentity('hash-3', 3))
    expect(await open()).toStrictEqual(['identity_claim hash-2'])
  })
})
