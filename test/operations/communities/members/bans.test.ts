import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { admitByCustomUrl, admitByInvite } from '../../../../application/communities/admission/admit-by-invite.ts'
import { accountId, guildId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field, type FieldError } from '../../../../domain/kernel/refusal.ts'
import { testContext } from '../../../support/test-context.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, expectFields, expectRefusal, invite, listOf } from '../../support/answers.ts'
import { appendBan } from '../../support/bans.ts'
import { placeOf, type Place } from '../../support/members.ts'
import { send as sendMessage, settle } from '../../support/messages.ts'
import { openServer } from '../../support/scene.ts'

/** Ada's guild; every test has its own. */
let home: Place

afterEach(() => {
  vi.restoreAllMocks()
})
const guildhall = await openServer('proxied')
const [ada, carol] = await Promise.all([guildhall.register(), guildhall.register()])
beforeEach(async () => {
  home = await placeOf(guildhall, ada)
})

const ban = (account: TestAccount, { id }: { readonly id: string }, body: unknown = {}, headers = {}) =>
  home.send(account, 'PUT', `/bans/${id}`, body, headers)
const unban = (account: TestAccount, { id }: TestAccount) => home.send(account, 'DELETE', `/bans/${id}`)
const list = (account = ada) => home.send(account, 'GET', '/bans')
const banned = async () => listOf(await list()).map(({ user }) => (user as Readonly<Record<string, unknown>>)['id'])
const from = (ip: string) => ({ 'x-forwarded-for': ip })

/** A session of an account that begins at an address, newer than all others. */
async function signIn({ email, password }: TestAccount, ip: string): Promise<void> {
  const answer = await guildhall.request('POST', '/v1/auth/login', { body: { email, password }, headers: from(ip) })
  expect(answer.status).toBe(200)
}

/** Tries to join from an address. */
async function joinFrom({ token }: TestAccount, ip: string) {
  const code = await invite(guildhall, ada, home.channel)
  return guildhall.request('POST', `/v1/invites/${code}`, { token, headers: from(ip) })
}

/** A ban from this many seconds ago whose process died at once. It asked for the messages of the hour before to be deleted. */
const banAppended = (account: TestAccount, ago_s: number): Promise<void> =>
  appendBan(guildhall, { guild: home, moderator: ada, account, ago_s, terms: { deleteMessageSeconds: 3600 } })

/** The authors of the existing messages, by a word in them. */
async function authors(): Promise<readonly unknown[]> {
  const path = `/v1/channels/${home.channel}/messages?limit=100`
  const messages = listOf(await guildhall.request('GET', path, { token: ada.token }))
  return messages.flatMap(({ type, author }) => (type === 0 ? [(author as { readonly id: string }).id] : []))
}

describe('banning', () => {
  it('ends the membership, keeps the account out, and is recorded', async () => {
    const brian = await home.member()
    await signIn(brian, '203.0.113.7')
    const reason = { 'x-audit-log-reason': 'see the log' }
    const body = { reason: 'spam', ban_duration_seconds: 60, delete_message_days: 0 }
    expect((await ban(ada, brian, body, reason)).status).toBe(204)
    expectRefusal(await home.send(brian, 'GET', '/members/@me'), 403, 'MISSING_PERMISSIONS')
    const [record] = listOf(await list())
    const at = String(record?.['banned_at'])
    const expiry = new Date(Date.parse(at) + 60_000).toISOString()
    expect(record).toStrictEqual({
      user: expect.objectContaining({ id: brian.id }),
      reason: 'spam',
      moderator_id: ada.id,
      banned_at: at,
      expires_at: expiry,
    })
    expectRefusal(await joinFrom(brian, '203.0.113.9'), 403, 'USER_BANNED_FROM_GUILD')
    const fields = { user_id: brian.id, moderator_id: ada.id, banned_at: at, expires_at: expiry, reason: 'spam' }
    expect(await home.entries(22)).toMatchObject([
      { target_id: brian.id, reason: 'see the log', options: { delete_member_days: '0' } },
    ])
    const changes = Object.entries(fields).map(([key, value]) => ({ key, new_value: value }))
    expect((await home.entries(22))[0]?.['changes']).toStrictEqual(expect.arrayContaining(changes))
    expect((await home.entries(22))[0]?.['changes']).toHaveLength(changes.length)
  })

  it('applies to strangers, and is replaced by a later ban', async () => {
    expect((await ban(ada, carol)).status).toBe(204)
    expect((await ban(ada, carol, { reason: 'again', ban_duration_seconds: 63_072_000 })).status).toBe(204)
    expect(listOf(await list())).toMatchObject([{ reason: 'again', expires_at: expect.any(String) }])
  })

  it('requires BAN_MEMBERS and a higher rank, and applies neither to oneself nor to the owner', async () => {
    const [brian, moderator] = [await home.member(), await home.holder('BAN_MEMBERS')]
    const higher = await home.holder('VIEW_AUDIT_LOG')
    for (const ask of [() => ban(brian, carol), () => unban(brian, carol), () => list(brian), () => list(carol)])
      expectRefusal(await ask(), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await ban(moderator, moderator), 404, 'UNKNOWN_MEMBER')
    expectRefusal(await ban(moderator, { id: '1' }), 404, 'UNKNOWN_USER')
    for (const target of [ada, higher]) expectRefusal(await ban(moderator, target), 403, 'MISSING_PERMISSIONS')
    expect((await ban(moderator, brian)).status).toBe(204)
    expect(await banned()).toStrictEqual([brian.id])
  })

  const malformed: readonly (readonly [object, FieldError])[] = [
    [{ delete_message_seconds: 604_801 }, field('delete_message_seconds', 'INVALID_FORMAT')],
    [{ delete_message_days: 8 }, field('delete_message_days', 'INVALID_FORMAT')],
    [{ ban_duration_seconds: 59 }, field('ban_duration_seconds', 'INVALID_FORMAT')],
    [{ ban_duration_seconds: 63_072_001 }, field('ban_duration_seconds', 'INVALID_FORMAT')],
    [{ reason: 'x'.repeat(513) }, field('reason', 'STRING_LENGTH_INVALID')],
  ]
  it.each(malformed)('refuses %j', async (body, expected) => {
    expectFields(await ban(ada, carol, body), expected)
    expect(await banned()).toStrictEqual([])
  })

  it('deletes the account’s messages from the requested time, before the answer', async () => {
    const brian = await home.member()
    for (const author of [ada, brian])
      expect((await sendMessage(guildhall, author, home.channel, 'hello')).status).toBe(200)
    expect((await ban(ada, brian, { delete_message_seconds: 3600 })).status).toBe(204)
    const messages = listOf(
      await guildhall.request('GET', `/v1/channels/${home.channel}/messages?limit=100`, { token: ada.token }),
    )
    const authors = messages.map(({ author, type }) => [type, (author as Readonly<Record<string, unknown>>)['id']])
    expect(authors).toStrictEqual([[0, ada.id]])
  })

  it('deletes earlier messages even if the clock was set back an hour since', async () => {
    const brian = await home.member()
    expect((await sendMessage(guildhall, brian, home.channel, 'before the step')).status).toBe(200)
    const clock = Date.now.bind(Date)
    vi.spyOn(Date, 'now').mockImplementation(() => clock() - 3_600_000)
    expect((await sendMessage(guildhall, brian, home.channel, 'behind the step')).status).toBe(200)
    expect((await ban(ada, brian, { delete_message_seconds: 3600 })).status).toBe(204)
    expect(await authors()).not.toContain(brian.id)
  })

  it('leaves the deletion to a worker if the request’s process died, and deletes nothing written later', async () => {
    const [brian, dora] = [await home.member(), await home.member()]
    for (const author of [brian, dora])
      expect((await sendMessage(guildhall, author, home.channel, 'hello')).status).toBe(200)
    await banAppended(dora, 60)
    await banAppended(brian, 0)
    await expect.poll(authors).not.toContain(brian.id)
    expect(await authors()).toContain(dora.id)
  })

  it('needs an authenticator in an ELEVATED guild, and so does kicking', async () => {
    const moderator = await home.holder('BAN_MEMBERS', 'KICK_MEMBERS', 'MANAGE_ROLES', 'MANAGE_GUILD')
    const brian = await home.member()
    await settle(guildhall, home, { mfaLevel: 1 })
    const asks = [
      () => ban(moderator, brian),
      () => unban(moderator, brian),
      () => list(moderator),
      () => home.send(moderator, 'DELETE', `/members/${brian.id}`),
      () => home.send(moderator, 'PATCH', `/members/${brian.id}`, { roles: [] }),
      () => home.send(moderator, 'GET', `/members/${brian.id}/admission`),
    ]
    for (const ask of asks) expectRefusal(await ask(), 400, 'TWO_FACTOR_REQUIRED')
    expect((await ban(ada, brian)).status).toBe(204)
  })
})

describe('lifting a ban', () => {
  it('admits the account again, and leaves an entry with the content of the ban', async () => {
    expect((await ban(ada, carol, { reason: 'spam' })).status).toBe(204)
    expect((await unban(ada, carol)).status).toBe(204)
    expect(await banned()).toStrictEqual([])
    expect((await joinFrom(carol, '203.0.113.50')).status).toBe(200)
    const [entry] = await home.entries(23)
    expect(entry).toMatchObject({ user_id: ada.id, target_id: carol.id })
    expect(entry?.['changes']).toStrictEqual(expect.arrayContaining([{ key: 'reason', old_value: 'spam' }]))
  })

  it('is refused for an account that is not banned', async () => {
    for (const account of [carol, { ...carol, id: '1' }])
      expectFields(await unban(ada, account), field('user_id', 'USER_IS_NOT_BANNED'))
  })
})

describe('a ban keeps out', () => {
  it('by the network that the account last came from, IPv6 by its /64', async () => {
    const [brian, dora] = [await home.member(), await home.member()]
    await signIn(brian, '198.51.100.7')
    await signIn(dora, '2001:db8:1:2::3')
    for (const account of [brian, dora]) expect((await ban(ada, account)).status).toBe(204)
    for (const ip of ['198.51.100.7', '2001:db8:1:2:ffff::1'])
      expectRefusal(await joinFrom(carol, ip), 403, 'USER_IP_BANNED_FROM_GUILD')
    expectRefusal(await joinFrom(brian, '198.51.100.7'), 403, 'USER_BANNED_FROM_GUILD')
    expect((await joinFrom(carol, '198.51.100.8')).status).toBe(200)
  })

  it('by the network that the account last came from, even after it has signed out', async () => {
    const brian = await home.member()
    const body = { email: brian.email, password: brian.password }
    const session = bodyOf(await guildhall.request('POST', '/v1/auth/login', { body, headers: from('198.51.100.40') }))
    for (const token of [String(session['token']), brian.token])
      expect((await guildhall.request('POST', '/v1/auth/logout', { token })).status).toBe(204)
    expect((await ban(ada, brian)).status).toBe(204)
    expectRefusal(await joinFrom(carol, '198.51.100.40'), 403, 'USER_IP_BANNED_FROM_GUILD')
  })

  it('by e-mail address and network even during an admission, and the use is returned', async () => {
    const [brian, dora] = [await home.member(), await guildhall.register()]
    await signIn(brian, '198.51.100.60')
    const code = await invite(guildhall, ada, home.channel, { max_uses: 1 })
    expect((await ban(ada, brian)).status).toBe(204)
    const id = accountId(snowflake(dora.id))
    const guild = guildId(snowflake(home.id))
    // The state of a request that has checked the bans before there was one.
    const [found] = await guildhall.ports.queries.invites.ofGuild(guild, testContext().now)
    if (!found) throw new Error('there is no invite')
    const byNetwork = { accountId: id, email: null, ip: '198.51.100.60' }
    const byAddress = { accountId: id, email: brian.email.toUpperCase(), ip: null }
    const late: readonly (readonly [() => Promise<unknown>, string])[] = [
      [() => admitByInvite(guildhall.ports, found, byNetwork, testContext()), 'USER_IP_BANNED_FROM_GUILD'],
      [() => admitByCustomUrl(guildhall.ports, guild, byAddress, testContext()), 'USER_BANNED_FROM_GUILD'],
    ]
    for (const [admit, code] of late) {
      await expect(admit()).rejects.toMatchObject({ refusal: { code } })
      expectRefusal(await home.send(dora, 'GET', '/members/@me'), 403, 'MISSING_PERMISSIONS')
    }
    expect((await accept(guildhall, dora, code)).status).toBe(200)
  })

  it('by a network in every race: an account that joined after the ban is no member', async () => {
    const pairs = await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const member = await home.member()
        await signIn(member, `203.0.113.${100 + index}`)
        return { member, ip: `203.0.113.${100 + index}`, newcomer: await guildhall.register() }
      }),
    )
    const code = await invite(guildhall, ada, home.channel)
    const answers = await Promise.all(
      pairs.map(async ({ member, newcomer, ip }) => {
        const joining = guildhall.request('POST', `/v1/invites/${code}`, { token: newcomer.token, headers: from(ip) })
        expect((await ban(ada, member)).status).toBe(204)
        const { status } = await joining
        return { newcomer, status }
      }),
    )
    const members = listOf(await home.send(ada, 'GET', '/members?limit=1000')).map(
      ({ user }) => (user as { readonly id: string }).id,
    )
    for (const { newcomer, status } of answers) {
      expect([200, 403]).toContain(status)
      expect(members.includes(newcomer.id)).toBe(status === 200)
    }
  })

  it('before the guild accepts no invites, and takes no use of the invite', async () => {
    expect((await ban(ada, carol)).status).toBe(204)
    const code = await invite(guildhall, ada, home.channel, { max_uses: 1 })
    await settle(guildhall, home, { disabledOperations: 1 << 3 })
    expectRefusal(await accept(guildhall, carol, code), 403, 'USER_BANNED_FROM_GUILD')
    expect((await guildhall.request('GET', `/v1/invites/${code}`)).status).toBe(200)
  })

  it('in every race: an account that is banned while joining is no member in the end', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => guildhall.register()))
    const code = await invite(guildhall, ada, home.channel)
    const outcomes = await Promise.all(
      people.flatMap((account) => [accept(guildhall, account, code), ban(ada, account)]),
    )
    expect(outcomes.filter((_, index) => index % 2 === 1).map(({ status }) => status)).toStrictEqual(
      people.map(() => 204),
    )
    const members = listOf(await home.send(ada, 'GET', '/members?limit=1000'))
    expect(members).toHaveLength(1)
    expect(bodyOf(await home.send(ada, 'GET', ''))['member_count']).toBe(1)
  })

  it('once if two ban at the same moment, and the member leaves once', async () => {
    const brian = await home.member()
    const [one, other] = [await home.holder('BAN_MEMBERS'), await home.holder('BAN_MEMBERS')]
    const answers = await Promise.all([one, other].map((moderator) => ban(moderator, brian)))
    for (const { status } of answers) expect([204, 429]).toContain(status)
    expect(await banned()).toStrictEqual([brian.id])
    expect(bodyOf(await home.send(ada, 'GET', ''))['member_count']).toBe(3)
  })
})
