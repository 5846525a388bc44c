import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testContext } from '../../../support/test-context.ts'
import type { Client } from '../../../gateway/support/client.ts'
import { startTestGuildhall, type TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectRefusal, listOf } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { befriend, relationsOn, setFlags, typesOf } from '../../support/relationships.ts'
import { openServer } from '../../support/scene.ts'

let ada: TestAccount
let grace: TestAccount
const { connect, end } = connections()

const guildhall = await openServer()
const relations = relationsOn(guildhall)
beforeEach(async () => {
  ;[ada, grace] = [await guildhall.register(), await guildhall.register()]
})
afterEach(end)

interface Party {
  readonly account: TestAccount
  readonly client: Client
}

async function both(): Promise<readonly [Party, Party]> {
  const [one, other] = [await connect(guildhall, ada), await connect(guildhall, grace)]
  return [
    { account: ada, client: one.client },
    { account: grace, client: other.client },
  ]
}

/** What a session has heard of relationships: everything before a settings change of its account. */
async function heard({ account, client }: Party): Promise<readonly unknown[]> {
  await guildhall.request('PATCH', '/v1/users/@me/settings', { token: account.token, body: { theme: 'light' } })
  await client.dispatch('USER_SETTINGS_UPDATE')
  const told = client.dispatches.filter(({ t }) => String(t).startsWith('RELATIONSHIP_'))
  return told.map(({ t, d }) => [t, d['type'] ?? d])
}

describe('what happens between two accounts', () => {
  const add = (type: number) => ['RELATIONSHIP_ADD', type]
  const update = (type: number) => ['RELATIONSHIP_UPDATE', type]
  const gone = ({ id }: TestAccount) => ['RELATIONSHIP_REMOVE', { id }]

  it.each([
    ['a request', 'none', () => relations.ask(ada, grace), () => [[add(4)], [add(3)]]],
    ['acceptance', 'asked by the other', () => relations.accept(ada, grace), () => [[update(1)], [update(1)]]],
    ['ignoring a request', 'asked by the other', () => relations.remove(ada, grace), () => [[gone(grace)], []]],
    ['taking a request back', 'asked', () => relations.remove(ada, grace), () => [[gone(grace)], [gone(ada)]]],
    ['an end of friendship', 'friends', () => relations.remove(ada, grace), () => [[gone(grace)], [gone(ada)]]],
    ['blocking a friend', 'friends', () => relations.block(ada, grace), () => [[add(2)], [gone(ada)]]],
    ['blocking whom one asked', 'asked', () => relations.block(ada, grace), () => [[add(2)], [gone(ada)]]],
    ['blocking who asked', 'asked by the other', () => relations.block(ada, grace), () => [[add(2)], []]],
    ['blocking a stranger', 'none', () => relations.block(ada, grace), () => [[add(2)], []]],
    ['unblocking', 'blocked', () => relations.remove(ada, grace), () => [[gone(grace)], []]],
    ['a nickname', 'friends', () => relations.name(ada, grace, 'Amazing'), () => [[update(1)], []]],
  ] as const)('%s is sent to those whom it concerns', async (_, before, act, told) => {
    if (before === 'asked') bodyOf(await relations.ask(ada, grace))
    if (before === 'asked by the other') bodyOf(await relations.ask(grace, ada))
    if (before === 'blocked') bodyOf(await relations.block(ada, grace))
    if (before === 'friends') await befriend(guildhall, ada, grace)
    const [own, other] = await both()
    expect((await act()).status).toBeLessThan(300)
    expect([await heard(own), await heard(other)]).toStrictEqual(told())
  })

  it('is sent as the relationship object with its user, as the receiver sees it', async () => {
    const [own, other] = await both()
    bodyOf(await relations.ask(ada, grace))
    const shown = { since: expect.any(String), nickname: null, friend_shares_voice_activity: true }
    const { d } = await own.client.dispatch('RELATIONSHIP_ADD')
    expect(d).toMatchObject({ id: grace.id, type: 4, user: { id: grace.id }, ...shown })
    const told = (await other.client.dispatch('RELATIONSHIP_ADD')).d
    expect(told).toMatchObject({ id: ada.id, type: 3, user: { id: ada.id }, ...shown })
  })

  it('is sent only to the spammer if it is a spammer’s request', async () => {
    await setFlags(guildhall, ada, 'SPAMMER')
    const [own, other] = await both()
    bodyOf(await relations.ask(ada, grace))
    expect([await heard(own), await heard(other)]).toStrictEqual([[add(4)], []])
  })
})

describe('READY', () => {
  it('has the relationships without their users, and the users once each', async () => {
    const linus = await guildhall.register()
    await befriend(guildhall, ada, grace)
    bodyOf(await relations.ask(linus, ada))
    bodyOf(await relations.name(ada, grace, 'Amazing'))
    const { ready } = await connect(guildhall, ada)
    const listed = listOf(await relations.list(ada)).map(({ user: _, ...others }) => others)
    expect(ready['relationships']).toStrictEqual(listed)
    expect(listed).toMatchObject([
      { id: grace.id, type: 1, nickname: 'Amazing' },
      { id: linus.id, type: 3 },
    ])
    const users = ready['users'] as readonly { readonly id: string }[]
    const ids = users.map(({ id }) => id)
    expect(ids.filter((id) => id === grace.id)).toHaveLength(1)
    expect(ids).toContain(linus.id)
  })
})

describe('presence', () => {
  const patch = ({ token }: TestAccount, path: string, body: object) =>
    guildhall.request('PATCH', `/v1/users/@me${path}`, { token, body })
  const seen = async ({ client }: Party): Promise<unknown> => (await client.dispatch('PRESENCE_UPDATE')).d

  it('of a friend is in READY, and sent with its status, custom status and profile until the friendship ends', async () => {
    const [own, other] = await both()
    await befriend(guildhall, ada, grace)
    const user = expect.objectContaining({ id: grace.id })
    const online = { user, status: 'online', mobile: false, afk: false, custom_status: null }
    expect(await seen(own)).toStrictEqual(online)
    expect(await seen(other)).toMatchObject({ user: { id: ada.id } })
    bodyOf(await patch(grace, '/settings', { status: 'dnd' }))
    expect(await seen(own)).toStrictEqual({ ...online, status: 'dnd' })
    bodyOf(await patch(grace, '/settings', { custom_status: { text: 'busy' } }))
    const busy = { text: 'busy', expires_at: null, emoji_id: null, emoji_name: null, emoji_animated: false }
    expect(await seen(own)).toStrictEqual({ ...online, status: 'dnd', custom_status: busy })
    bodyOf(await patch(grace, '', { global_name: 'Amazing' }))
    expect(await seen(own)).toMatchObject({ user: { global_name: 'Amazing' }, status: 'dnd', custom_status: busy })
    const { ready } = await connect(guildhall, ada)
    expect(ready['presences']).toStrictEqual([{ ...online, status: 'dnd', custom_status: busy }])
    bodyOf(await relations.block(ada, grace))
    await other.client.dispatch('RELATIONSHIP_REMOVE')
    bodyOf(await patch(grace, '/settings', { status: 'idle' }))
    bodyOf(await patch(ada, '/settings', { status: 'idle' }))
    // Another account's presence would come after theirs.
    const linus = await guildhall.register()
    await connect(guildhall, linus)
    for (const friend of [ada, grace]) await befriend(guildhall, linus, friend)
    expect(await seen(own)).toMatchObject({ user: { id: linus.id } })
    expect(await seen(other)).toMatchObject({ user: { id: linus.id } })
  })
})

describe('two accounts in a race', () => {
  it('become friends once, however often the request is accepted at once', async () => {
    bodyOf(await relations.ask(ada, grace))
    const accepted = await Promise.all([relations.accept(grace, ada), relations.accept(grace, ada)])
    expect(new Set(accepted.map(({ status }) => status))).toStrictEqual(new Set([200, 404]))
    expect(await typesOf(guildhall, ada)).toStrictEqual({ [grace.id]: 1 })
  })

  it('are friends after a request in return, however often at once', async () => {
    bodyOf(await relations.ask(ada, grace))
    const asked = await Promise.all(Array.from({ length: 4 }, () => relations.ask(grace, ada)))
    for (const answer of asked) expect(bodyOf(answer)).toMatchObject({ id: ada.id, type: 1 })
  })

  it('are asked and blocked once, even several times at once', async () => {
    for (const [act, type] of [[relations.ask, 4] as const, [relations.block, 2] as const]) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => act(ada, grace)))
      for (const answer of answers) expect(bodyOf(answer)).toMatchObject({ id: grace.id, type })
    }
    expect(await typesOf(guildhall, grace)).toStrictEqual({})
  })

  it('are not friends if one blocks while the other accepts', async () => {
    bodyOf(await relations.ask(ada, grace))
    const [blocked, accepted] = await Promise.all([relations.block(ada, grace), relations.accept(grace, ada)])
    expect(bodyOf(blocked)).toMatchObject({ id: grace.id, type: 2 })
    expect([200, 404]).toContain(accepted.status)
    expect(await typesOf(guildhall, ada)).toStrictEqual({ [grace.id]: 2 })
    expect(await typesOf(guildhall, grace)).toStrictEqual({})
  })
})

describe('a profile', () => {
  it('is shown to friends, with the friends in common', async () => {
    const linus = await guildhall.register()
    const profile = (query = '') =>
      guildhall.request('GET', `/v1/users/${grace.id}/profile${query}`, { token: ada.token })
    expectRefusal(await profile(), 403, 'MISSING_ACCESS')
    const privacy = { profile_privacy: 2 }
    await guildhall.request('PATCH', '/v1/users/@me/settings', { token: grace.token, body: privacy })
    bodyOf(await relations.ask(ada, grace))
    expect(bodyOf(await profile())).toMatchObject({ profile_limited: true })
    bodyOf(await relations.accept(grace, ada))
    for (const one of [ada, grace]) await befriend(guildhall, linus, one)
    const body = bodyOf(await profile('?with_mutual_friends=true'))
    expect(body).toMatchObject({ mutual_friends: [{ id: linus.id }] })
    expect(body).not.toHaveProperty('profile_limited')
  })
})

describe('an instance', () => {
  it('with a mail server accepts requests only from verified addresses, and without direct messages only those of staff', async () => {
    const strict = await startTestGuildhall({ withMailServer: true })
    try {
      const { ask, accept } = relationsOn(strict)
      const [one, other] = [await strict.register(), await strict.register()]
      expectRefusal(await ask(one, other), 403, 'FRIEND_REQUEST_EMAIL_VERIFICATION_REQUIRED')
      const { community } = await strict.ports.instancePolicies.current()
      await strict.ports.instancePolicies.change(
        { community: { ...community, directMessagesDisabled: true } },
        testContext(),
      )
      expectRefusal(await ask(one, { id: '1' }), 403, 'DIRECT_MESSAGES_DISABLED')
      expectRefusal(await accept(one, other), 404, 'UNKNOWN_USER')
      await setFlags(strict, one, 'STAFF')
      expectRefusal(await ask(one, { id: '1' }), 404, 'UNKNOWN_USER')
    } finally {
      await strict.close()
    }
  })
})
