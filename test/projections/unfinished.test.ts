import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Tag } from '../../domain/handle/events.ts'
import { entryId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { unfinishedProjection } from '../../projections/unfinished/projector.ts'
import { unfinishedQueries } from '../../projections/unfinished/queries.ts'
import {
  account,
  created,
  deleted,
  guild,
  joined,
  left,
  redeemed,
  registered,
  returned,
  terms,
  uninvited,
  invited,
  start,
} from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const future = timestamp(Date.UTC(2030, 0, 1))
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))
const steps = (limit = 100) => unfinishedQueries(the.database).before(future, limit)
const open = async () => (await steps()).map(({ process, key }) => `${process} ${key}`)

beforeAll(async () => {
  the = await world()
  projector = await the.projector([unfinishedProjection])
})

afterAll(() => the.close())

/** Each test begins with no unfinished steps. */
beforeEach(async () => {
  await the.rows('delete from unfinished.steps')
})

const claimedHandle = (username: string, discriminator: number, number = 1, replaces?: Tag): AnyEvent => ({
  type: 'HandleClaimed',
  data: { username, discriminator, accountId: account(number), ...(replaces ? { replaces } : {}) },
})
const renamed = (username: string, discriminator: number): AnyEvent => ({
  type: 'TagChanged',
  data: { accountId: account(1), username, discriminator },
})
const movedTo = (email: string): AnyEvent => ({
  type: 'EmailAddressChanged',
  data: { accountId: account(1), email, verified: true, changedAt: future },
})
const releasedHandle = (username: string, discriminator: number, number = 1): AnyEvent => ({
  type: 'HandleReleased',
  data: { username, discriminator, accountId: account(number) },
})
const claimedAddress = (addressHash: string, number = 1, replaces?: string): AnyEvent => ({
  type: 'EmailAddressClaimed',
  data: { addressHash, accountId: account(number), ...(replaces === undefined ? {} : { replaces }) },
})
const releasedAddress = (addressHash: string, number = 1): AnyEvent => ({
  type: 'EmailAddressReleased',
  data: { addressHash, accountId: account(number) },
})

describe('unfinished steps', () => {
  it('name the event that began them', async () => {
    await happens(created(1))
    const event = projector.published.at(-1)
    expect(await steps()).toStrictEqual([
      {
        process: 'founding',
        key: guild(1),
        eventId: event?.metadata.eventId,
        correlationId: event?.metadata.correlationId,
        operation: undefined,
        stream: `guild-${guild(1)}`,
        since: event?.metadata.at,
        data: event?.data,
      },
    ])
  })

  it('come oldest first, only those before an instant, and no more than requested', async () => {
    await happens(created(3), created(1), created(2))
    const second = projector.published.at(-2)
    expect(await open()).toStrictEqual([`founding ${guild(3)}`, `founding ${guild(1)}`, `founding ${guild(2)}`])
    expect((await steps(2)).map(({ key }) => key)).toStrictEqual([guild(3), guild(1)])
    const older = await unfinishedQueries(the.database).before(second?.metadata.at ?? future, 100)
    expect(older.map(({ key }) => key)).toStrictEqual([guild(3)])
  })

  it('come page by page, each step once, also those of one instant', async () => {
    await happens(...Array.from({ length: 7 }, (_, number) => created(number + 1)))
    await the.rows(`update unfinished.steps set since = '2026-01-01' where key <> '${guild(4)}'`)
    const { before } = unfinishedQueries(the.database)
    const keys: string[] = []
    for (let page = await before(future, 2); page.length > 0; page = await before(future, 2, page.at(-1)))
      keys.push(...page.map(({ key }) => key))
    expect(keys).toHaveLength(7)
    expect(new Set(keys).size).toBe(7)
    expect(keys.at(-1)).toBe(guild(4))
  })

  it('are found by process and key, until they are finished', async () => {
    await happens(created(1))
    const { find } = unfinishedQueries(the.database)
    expect(await find('founding', guild(1))).toStrictEqual((await steps())[0])
    expect(await find('admission', guild(1))).toBeUndefined()
    await happens(deleted(1))
    expect(await find('founding', guild(1))).toBeUndefined()
  })
})

describe('an admission', () => {
  const offer = terms('code')

  beforeEach(() => happens(invited(offer), redeemed(offer, 'r1', 1, 2), redeemed(offer, 'r2', 2, 3)))

  it('is unfinished from the redemption on', async () => {
    expect(await open()).toStrictEqual(['admission r1', 'admission r2'])
  })

  it('ends when the account has joined by this redemption', async () => {
    const byInvite = (redemptionId: string) =>
      ({ by: 'invite', code: offer.code, inviterId: account(1), redemptionId }) as const
    await happens(
      joined(1, 2, { admission: byInvite('r1') }),
      joined(1, 3),
      joined(1, 4, { admission: { by: 'founding' } }),
    )
    expect(await open()).toStrictEqual(['admission r2'])
  })

  it('ends when the use is returned', async () => {
    await happens(returned(offer, 'r2'))
    expect(await open()).toStrictEqual(['admission r1'])
  })

  it('ends when the invite or the guild is removed, because there is nothing to return the use to', async () => {
    const other = terms('other', { guildId: guild(2) })
    await happens(invited(other), redeemed(other, 'r3', 1, 4), uninvited(offer, 2))
    expect(await open()).toStrictEqual(['admission r3'])
    await happens(deleted(2))
    expect(await open()).toStrictEqual([`guild_messages ${guild(2)}`])
  })

  it('that begins after its guild is removed is unfinished', async () => {
    await happens(deleted(1), redeemed(offer, 'r4', 3, 5))
    expect((await open()).toSorted()).toStrictEqual(['admission r4', `guild_messages ${guild(1)}`])
  })
})

describe('a founding', () => {
  it('ends when the owner has joined, but not when others join', async () => {
    await happens(created(1), created(2), joined(1, 2), left(1, 2))
    expect(await open()).toHaveLength(2)
    await happens(joined(1, 1, { admission: { by: 'founding' } }))
    expect(await open()).toStrictEqual([`founding ${guild(2)}`])
  })

  it('ends when the guild is removed', async () => {
    await happens(created(1), created(2), deleted(1))
    expect((await open()).toSorted()).toStrictEqual([`founding ${guild(2)}`, `guild_messages ${guild(1)}`])
  })
})

describe('erasing an account', () => {
  it('ends when all data of its holder is gone, and then its messages wait for another author', async () => {
    const accountId = account(1)
    const started = { username: 'Ada', addressHash: null, identityHashes: [], startedAt: start }
    await happens({ type: 'AccountErasureStarted', data: { accountId, ...started } })
    expect(await open()).toStrictEqual([`erasure ${accountId}`])
    await happens({ type: 'AccountErased', data: { accountId, erasedAt: start } })
    expect(await open()).toStrictEqual([`authored_messages ${accountId}`])
    await happens({ type: 'MessagesAnonymised', data: { accountId, anonymisedAt: start } })
    expect(await open()).toStrictEqual([])
  })
})

describe('a step of a process that only a newer version knows', () => {
  it('is left alone, and hides no others', async () => {
    await happens(created(1), created(2))
    await the.rows(`update unfinished.steps set process = 'of_a_newer_version' where key = '${guild(1)}'`)
    expect(await open()).toStrictEqual([`founding ${guild(2)}`])
    const [first] = await steps(1)
    expect(await unfinishedQueries(the.database).before(future, 1, first)).toStrictEqual([])
  })
})

describe('a claim', () => {
  it('of a tag ends when an account is registered with it, in any case', async () => {
    await happens(
      claimedHandle('ada', 1),
      claimedHandle('ada', 2, 2),
      registered(1, { username: 'Ada', discriminator: 1 }),
    )
    expect(await open()).toStrictEqual(['handle_claim ada#2'])
  })

  it('of a tag stays unfinished when its account registers with another one', async () => {
    await happens(
      claimedHandle('ada', 1),
      claimedHandle('grace', 1),
      registered(1, { username: 'grace', discriminator: 1 }),
    )
    expect(await open()).toStrictEqual(['handle_claim ada#1'])
    await happens(releasedHandle('ada', 1))
    expect(await open()).toStrictEqual([])
  })

  it('of an address ends when its account is registered, or it is released', async () => {
    await happens(claimedAddress('hash-1', 1), claimedAddress('hash-2', 2), claimedAddress('hash-3', 3))
    await happens(registered(1), releasedAddress('hash-3', 3))
    expect(await open()).toStrictEqual(['address_claim hash-2'])
  })

  it('of another tag ends when the tag that it replaces is released', async () => {
    await happens(claimedHandle('bob', 7, 1, { username: 'ada', discriminator: 1 }), renamed('bob', 7))
    expect(await open()).toStrictEqual(['handle_claim bob#7'])
    await happens(releasedHandle('ada', 2), releasedHandle('ada', 1))
    expect(await open()).toStrictEqual([])
  })

  it('of another address ends when the address that it replaces is released', async () => {
    await happens(claimedAddress('hash-1', 1, 'hash-0'), movedTo('a@example.org'))
    expect(await open()).toStrictEqual(['address_claim hash-1'])
    await happens(releasedAddress('hash-0'))
    expect(await open()).toStrictEqual([])
  })

  it('of a first address ends when the account has it', async () => {
    await happens(claimedAddress('hash-1', 1), claimedAddress('hash-2', 2), movedTo('a@example.org'))
    expect(await open()).toStrictEqual(['address_claim hash-2'])
  })
})

describe('an act of an administrator', () => {
  const adminAction = {
    entryId: entryId(snowflake('4711')),
    commandId: 'command',
    adminId: account(1),
    credential: 'admin_key',
    action: 'set_acls',
    target: { type: 'user', id: account(2) },
  } as const
  const recorded: AnyEvent = {
    type: 'AdminActionRecorded',
    data: {
      entryId: adminAction.entryId,
      adminId: account(1),
      credential: 'admin_key',
      action: 'set_acls',
      targetType: 'user',
      targetId: account(2),
      metadata: {},
      personalMetadata: null,
      personalHash: null,
      reason: null,
      actedAt: future,
      previousHash: null,
      hash: 'h',
    },
  }
  const happensAs = async (...events: readonly AnyEvent[]) =>
    projector.reached(await the.happensWith({ adminAction, reason: 'because' }, ...events))

  it('waits for its entry, whatever event it has left, with all that the entry needs', async () => {
    await happensAs(renamed('Ada', 1), created(1))
    const found = (await steps()).find(({ process }) => process === 'admin_action')
    expect(found).toMatchObject({ key: '4711', data: { ...adminAction, reason: 'because' } })
    expect(await open()).toEqual(expect.arrayContaining(['admin_action 4711', `founding ${guild(1)}`]))
    await happens(recorded)
    expect(await open()).toEqual([`founding ${guild(1)}`])
  })
  it('no longer waits once it was refused after all', async () => {
    await happensAs(renamed('Ada', 1))
    expect(await open()).toEqual(['admin_action 4711'])
    await happens({ type: 'AdminActionRefused', data: { entryId: adminAction.entryId, adminId: account(1) } })
    expect(await open()).toEqual([])
  })
})
