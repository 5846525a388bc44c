import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import {
  accept as join,
  bodyOf,
  crowd,
  expectFields,
  expectRefusal,
  found,
  invite,
  listOf,
} from '../../support/answers.ts'
import { asBot, newApplication } from '../../support/applications.ts'
import { deletionIsDue, erase, everyEvent, everyRow } from '../../support/erasure.ts'
import { befriend, relationsOn, setFlags, tagOf, typesOf, unclaimed } from '../../support/relationships.ts'
import { openServer } from '../../support/scene.ts'

const relationships_max = 4

let ada: TestAccount
let grace: TestAccount

const guildhall = await openServer({ limits: { max_relationships: relationships_max } })
const relations = relationsOn(guildhall)
beforeEach(async () => {
  ;[ada, grace] = [await guildhall.register(), await guildhall.register()]
})

const nobody = { id: '1' }
const sources = ({ token }: TestAccount, friend_source_flags: number) =>
  guildhall.request('PATCH', '/v1/users/@me/settings', { token, body: { friend_source_flags } })

describe('List relationships', () => {
  it('shows each account its relationships, with their partial users', async () => {
    bodyOf(await relations.ask(ada, grace))
    const shown = { since: expect.any(String), nickname: null, share_voice_activity: expect.any(Boolean) }
    const more = { ...shown, friend_shares_voice_activity: true }
    expect(listOf(await relations.list(ada))).toStrictEqual([
      {
        id: grace.id,
        type: 4,
        user: expect.objectContaining({ id: grace.id, discriminator: expect.any(String) }),
        ...more,
      },
    ])
    expect(listOf(await relations.list(grace))).toMatchObject([{ id: ada.id, type: 3, user: { id: ada.id } }])
    expect(listOf(await relations.list(await guildhall.register()))).toStrictEqual([])
  })

  it('is only for people', async () => {
    const bot = asBot(await newApplication(guildhall, ada))
    expectRefusal(await relations.list({ token: bot }), 403, 'ACCESS_DENIED')
    expectRefusal(await relations.ask({ token: bot }, grace), 403, 'ACCESS_DENIED')
    expectRefusal(await guildhall.request('GET', '/v1/users/@me/relationships'), 401, 'UNAUTHORIZED')
  })
})

describe('Send friend request', () => {
  it('by tag finds the account, in any case of its name', async () => {
    const { username, discriminator } = await tagOf(guildhall, grace)
    const body = { username: username.toUpperCase(), discriminator: Number(discriminator) }
    expect(bodyOf(await relations.askByTag(ada, body))).toMatchObject({ id: grace.id, type: 4 })
    expect(await typesOf(guildhall, grace)).toStrictEqual({ [ada.id]: 3 })
  })

  it.each([
    [{ username: 'nobody_has_this', discriminator: '0001' }, 400, 'NO_USERS_WITH_GUILDHALLTAG_EXIST'],
    [{ username: 'x', discriminator: '12345' }, 400, 'INVALID_FORM_BODY'],
    [{ username: 'x', discriminator: 10_000 }, 400, 'INVALID_FORM_BODY'],
    [{ username: 'x' }, 400, 'INVALID_FORM_BODY'],
    [{}, 400, 'INVALID_FORM_BODY'],
  ])('by the tag %j is refused', async (body, status, code) => {
    expectRefusal(await relations.askByTag(ada, body), status, code)
  })

  it('if repeated returns what is there, but by tag a friend is refused', async () => {
    const tag = await tagOf(guildhall, grace)
    const first = bodyOf(await relations.ask(ada, grace))
    expect(bodyOf(await relations.ask(ada, grace))).toStrictEqual(first)
    expect(bodyOf(await relations.askByTag(ada, tag))).toStrictEqual(first)
    bodyOf(await relations.accept(grace, ada))
    expect(bodyOf(await relations.ask(ada, grace))).toMatchObject({ type: 1 })
    expectRefusal(await relations.askByTag(ada, tag), 400, 'ALREADY_FRIENDS')
  })

  it('accepts an earlier request of the other', async () => {
    bodyOf(await relations.ask(grace, ada))
    expect(bodyOf(await relations.ask(ada, grace))).toMatchObject({ id: grace.id, type: 1 })
    expect(await typesOf(guildhall, grace)).toStrictEqual({ [ada.id]: 1 })
  })

  it('refuses in the order of the table', async () => {
    expectRefusal(await relations.ask(ada, nobody), 404, 'UNKNOWN_USER')
    expectFields(await relations.ask(ada, { id: 'x' }), field('user_id', 'INVALID_SNOWFLAKE_FORMAT'))
    expectRefusal(await relations.ask(ada, ada), 400, 'CANNOT_SEND_FRIEND_REQUEST_TO_SELF')
    const gone = await guildhall.register()
    await deletionIsDue(guildhall, gone)
    await erase(guildhall, gone)
    const guest = await unclaimed(guildhall)
    // A deleted recipient is checked before the sender.
    expectRefusal(await relations.ask(guest, gone), 400, 'FRIEND_REQUEST_BLOCKED')
    expectRefusal(await relations.ask(guest, grace), 400, 'UNCLAIMED_ACCOUNT_CANNOT_SEND_FRIEND_REQUESTS')
    const bot = await newApplication(guildhall, ada)
    expectRefusal(await relations.ask(ada, bot), 400, 'FRIEND_REQUEST_BLOCKED')
    bodyOf(await relations.block(ada, grace))
    bodyOf(await relations.block(grace, ada))
    expectRefusal(await relations.ask(ada, grace), 400, 'CANNOT_SEND_FRIEND_REQUEST_TO_BLOCKED_USER')
    expect((await relations.remove(ada, grace)).status).toBe(204)
    expectRefusal(await relations.ask(ada, grace), 400, 'FRIEND_REQUEST_BLOCKED')
  })

  it('depends on what the other allows: nobody, mutual friends, mutual guilds', async () => {
    const between = await guildhall.register()
    await sources(grace, 0)
    expectRefusal(await relations.ask(ada, grace), 400, 'FRIEND_REQUEST_BLOCKED')
    await sources(grace, 1)
    expectRefusal(await relations.ask(ada, grace), 400, 'FRIEND_REQUEST_BLOCKED')
    await befriend(guildhall, between, ada)
    await befriend(guildhall, grace, between)
    expect(bodyOf(await relations.ask(ada, grace))).toMatchObject({ type: 4 })
    const other = await guildhall.register()
    await sources(grace, 2)
    expectRefusal(await relations.ask(other, grace), 400, 'FRIEND_REQUEST_BLOCKED')
    const guild = await found(guildhall, grace)
    await join(guildhall, other, await invite(guildhall, grace, guild.channel))
    expect(bodyOf(await relations.ask(other, grace))).toMatchObject({ type: 4 })
  })

  it('befriends a friendly bot at once, but not one that requires approval', async () => {
    const [friendly, approving] = [await newApplication(guildhall, ada), await newApplication(guildhall, ada)]
    await setFlags(guildhall, friendly, 'FRIENDLY_BOT')
    await setFlags(guildhall, approving, 'FRIENDLY_BOT', 'FRIENDLY_BOT_MANUAL_APPROVAL')
    expect(bodyOf(await relations.ask(grace, friendly))).toMatchObject({ id: friendly.id, type: 1 })
    expect(bodyOf(await relations.ask(grace, approving))).toMatchObject({ id: approving.id, type: 4 })
  })

  it('of a spammer is never shown to the other', async () => {
    await setFlags(guildhall, ada, 'SPAMMER')
    expect(bodyOf(await relations.ask(ada, grace))).toMatchObject({ type: 4 })
    expect(await typesOf(guildhall, grace)).toStrictEqual({})
  })
})

describe('Accept friend request', () => {
  it('makes both friends since the same moment, with a direct channel', async () => {
    bodyOf(await relations.ask(ada, grace))
    const accepted = bodyOf(await relations.accept(grace, ada))
    const [own] = listOf(await relations.list(ada))
    expect(own).toMatchObject({ id: grace.id, type: 1, since: accepted['since'] })
    const channels = (account: TestAccount) =>
      guildhall.request('GET', '/v1/users/@me/channels', { token: account.token })
    expect(listOf(await channels(ada))).toMatchObject([{ type: 1, recipients: [{ id: grace.id }] }])
    expect(listOf(await channels(grace))).toMatchObject([{ type: 1, recipients: [{ id: ada.id }] }])
  })

  it('refuses if there is no request, and for an unclaimed account', async () => {
    expectRefusal(await relations.accept(ada, nobody), 404, 'UNKNOWN_USER')
    expectRefusal(await relations.accept(ada, grace), 404, 'UNKNOWN_USER')
    const guest = await unclaimed(guildhall)
    await guildhall.request('PATCH', '/v1/users/@me/settings', { token: guest.token, body: { friend_source_flags: 7 } })
    bodyOf(await relations.ask(ada, guest))
    expectRefusal(await relations.accept(guest, ada), 400, 'UNCLAIMED_ACCOUNT_CANNOT_ACCEPT_FRIEND_REQUESTS')
    expectRefusal(await relations.accept(ada, guest), 404, 'UNKNOWN_USER')
  })
})

describe('Block', () => {
  it('removes a friend on both sides, and leaves the request of the sender', async () => {
    await befriend(guildhall, ada, grace)
    expect(bodyOf(await relations.block(ada, grace))).toMatchObject({ id: grace.id, type: 2 })
    expect(await typesOf(guildhall, grace)).toStrictEqual({})
    const other = await guildhall.register()
    bodyOf(await relations.ask(other, ada))
    const blocked = bodyOf(await relations.block(ada, other))
    expect(bodyOf(await relations.block(ada, other))).toStrictEqual(blocked)
    expect(await typesOf(guildhall, other)).toStrictEqual({ [ada.id]: 4 })
  })

  it('refuses an unknown account, but not the caller’s own', async () => {
    expectRefusal(await relations.block(ada, nobody), 404, 'UNKNOWN_USER')
    expect(bodyOf(await relations.block(ada, ada))).toMatchObject({ id: ada.id, type: 2 })
    expect((await relations.remove(ada, ada)).status).toBe(204)
  })
})

describe('Modify friend nickname', () => {
  it('is only for the caller’s eyes, and null removes it', async () => {
    await befriend(guildhall, ada, grace)
    expect(bodyOf(await relations.name(ada, grace, ' Amazing '))).toMatchObject({ type: 1, nickname: 'Amazing' })
    expect(listOf(await relations.list(grace))).toMatchObject([{ nickname: null }])
    expect(bodyOf(await relations.name(ada, grace, null))).toMatchObject({ nickname: null })
  })

  it.each([[undefined], [5], ['x'.repeat(257)]])('refuses %s', async (nickname) => {
    expectRefusal(await relations.name(ada, grace, nickname), 400, 'INVALID_FORM_BODY')
  })

  it('refuses everybody except a friend', async () => {
    expectRefusal(await relations.name(ada, nobody, 'x'), 404, 'UNKNOWN_USER')
    bodyOf(await relations.ask(ada, grace))
    expectRefusal(await relations.name(ada, grace, 'x'), 404, 'UNKNOWN_USER')
  })
})

describe('Remove relationship', () => {
  it('ends a friendship and a sent request on both sides, and a received request only on one’s own', async () => {
    await befriend(guildhall, ada, grace)
    expect((await relations.remove(ada, grace)).status).toBe(204)
    expect([await typesOf(guildhall, ada), await typesOf(guildhall, grace)]).toStrictEqual([{}, {}])
    bodyOf(await relations.ask(ada, grace))
    await relations.remove(ada, grace)
    expect(await typesOf(guildhall, grace)).toStrictEqual({})
    bodyOf(await relations.ask(ada, grace))
    await relations.remove(grace, ada)
    expect([await typesOf(guildhall, ada), await typesOf(guildhall, grace)]).toStrictEqual([{ [grace.id]: 4 }, {}])
    expectRefusal(await relations.remove(grace, ada), 404, 'UNKNOWN_USER')
  })

  it('happens by itself when the other is erased', async () => {
    const [friend, asked, blocker] = [
      await guildhall.register(),
      await guildhall.register(),
      await guildhall.register(),
    ]
    await befriend(guildhall, friend, ada)
    bodyOf(await relations.ask(asked, ada))
    bodyOf(await relations.block(blocker, ada))
    bodyOf(await relations.name(friend, ada, 'Countess'))
    bodyOf(await relations.name(ada, friend, 'Unforgettable'))
    await deletionIsDue(guildhall, ada)
    expect(await erase(guildhall, ada)).toBe(true)
    for (const one of [friend, asked, blocker]) expect(await typesOf(guildhall, one)).toStrictEqual({})
    expect(await everyRow(guildhall)).not.toContain('Unforgettable')
    expect(await everyEvent(guildhall)).not.toContain('Unforgettable')
  })
})

describe('Ignore friend requests', () => {
  it('removes all received requests, and nothing else, on one’s own side', async () => {
    const [friend, one, asked] = [await guildhall.register(), await guildhall.register(), await guildhall.register()]
    await befriend(guildhall, friend, ada)
    for (const other of [grace, one]) bodyOf(await relations.ask(other, ada))
    bodyOf(await relations.ask(ada, asked))
    expect(bodyOf(await relations.ignore(ada))).toStrictEqual({ ignored_count: 2 })
    expect(await typesOf(guildhall, ada)).toStrictEqual({ [friend.id]: 1, [asked.id]: 4 })
    expect(await typesOf(guildhall, grace)).toStrictEqual({ [ada.id]: 4 })
    expect(bodyOf(await relations.ignore(ada))).toStrictEqual({ ignored_count: 0 })
  })

  it('removes those of new accounts on request', async () => {
    bodyOf(await relations.ask(grace, ada))
    const young = { filter: 'new_accounts', max_account_age_seconds: 86_400 }
    expect(bodyOf(await relations.ignore(ada, young))).toStrictEqual({ ignored_count: 1 })
    expectRefusal(await relations.ignore(ada, { filter: 'some' }), 400, 'INVALID_FORM_BODY')
    expectRefusal(await relations.ignore(ada, { max_account_age_seconds: 0 }), 400, 'INVALID_FORM_BODY')
  })
})

describe('max_relationships', () => {
  /** Gives an account as many records as allowed, minus some. */
  async function fill(account: TestAccount, free = 0): Promise<void> {
    for (const other of await crowd(guildhall, relationships_max - free)) bodyOf(await relations.block(account, other))
  }

  it('is refused on either side, with the limit', async () => {
    await fill(ada)
    for (const answer of [await relations.ask(ada, grace), await relations.ask(grace, ada)]) {
      expectRefusal(answer, 400, 'MAX_FRIENDS')
      expect(answer.body).toMatchObject({ max_relationships: relationships_max })
    }
    expect(bodyOf(await relations.block(ada, grace))).toMatchObject({ type: 2 })
  })

  it('is exact when many ask at once', async () => {
    await fill(ada, 2)
    const others = await crowd(guildhall, 6)
    const answers = await Promise.all(
      others.map((other, index) => (index % 2 === 0 ? relations.ask(ada, other) : relations.ask(other, ada))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(Object.keys(await typesOf(guildhall, ada))).toHaveLength(relationships_max)
  })

  it('lets two that send each other requests at once become friends once', async () => {
    const answers = await Promise.all([relations.ask(ada, grace), relations.ask(grace, ada)])
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 200])
    expect(await typesOf(guildhall, ada)).toStrictEqual({ [grace.id]: 1 })
    expect(await typesOf(guildhall, grace)).toStrictEqual({ [ada.id]: 1 })
  })
})
