import { beforeEach, describe, expect, it } from 'vitest'
import { accountId, guildId, membershipId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import type { MemberJoined } from '../../../../domain/membership/events.ts'
import { testContext } from '../../../support/test-context.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, invite, listOf } from '../../support/answers.ts'
import { appendBan } from '../../support/bans.ts'
import { placeOf, type Place } from '../../support/members.ts'
import { settleJoin } from '../../../../application/communities/admission/settle-join.ts'
import type { RecordedEvent } from '../../../../application/ports/event-store.ts'
import { beforeAll as storeBeginning } from '../../../../domain/kernel/position.ts'
import { openServer } from '../../support/scene.ts'

/** Ada's guild; every test has its own. */
let home: Place

const guildhall = await openServer({ trustedProxies: ['127.0.0.1'] })
const ada = await guildhall.register()
beforeEach(async () => {
  home = await placeOf(guildhall, ada)
})

/** A session of an account that begins at an address, newer than all others. */
async function signIn({ email, password }: TestAccount, ip: string): Promise<void> {
  const body = { email, password }
  const headers = { 'x-forwarded-for': ip }
  expect((await guildhall.request('POST', '/v1/auth/login', { body, headers })).status).toBe(200)
}

/** Bans an account as if it had an e-mail address then. */
const banWith = (account: TestAccount, email: string): Promise<void> =>
  appendBan(guildhall, { guild: home, moderator: ada, account, terms: { email } })

/** What remains of a request whose process died as soon as the account had joined, by a use of an invite. */
async function joinAndDie({ id }: TestAccount, code: string): Promise<void> {
  const { aggregates, queries, readModels } = guildhall.ports
  const [guild, account, context] = [guildId(snowflake(home.id)), accountId(snowflake(id)), testContext()]
  const found = (await queries.invites.ofGuild(guild, context.now)).find((each) => each.code === code)
  if (!found) throw new Error('there is no invite')
  const names = { accountId: account, now: context.now } as const
  const redemptionId = context.commandId
  await aggregates.invite.execute(found.code, { type: 'RedeemInvite', ...names, redemptionId }, context)
  const admission = { by: 'invite', code: found.code, inviterId: found.inviterId, redemptionId } as const
  const join = { type: 'JoinGuild', ...names, guildId: guild, temporary: false, admission } as const
  await aggregates.membership.execute(membershipId(guild, account), join, context)
  await readModels.reached(context.written)
}

/** Checks every join again, as a worker would that starts from the beginning. */
async function settleAll(): Promise<void> {
  const settle = settleJoin(guildhall.ports)
  for await (const page of guildhall.store.events.readAll(storeBeginning))
    for (const event of page) if (isJoin(event)) await settle(event, timestamp(Date.now()))
}

function isJoin(event: RecordedEvent): event is RecordedEvent & { readonly data: MemberJoined } {
  return event.type === 'MemberJoined'
}

const isMember = async ({ id }: TestAccount): Promise<boolean> =>
  (await home.send(ada, 'GET', `/members/${id}`)).status === 200
const usesOf = async (code: string) =>
  listOf(await home.send(ada, 'GET', '/invites')).find((each) => each['code'] === code)?.['uses']
const settings = (account: TestAccount, body: object) =>
  guildhall.request('PATCH', '/v1/users/@me/settings', { token: account.token, body })
const restricted = async ({ token }: TestAccount) =>
  bodyOf(await guildhall.request('GET', '/v1/users/@me/settings', { token }))['restricted_guilds']

describe('a join whose process died at once', () => {
  it('is undone if a ban by e-mail address came before it, and the use is returned', async () => {
    const [brian, dora] = [await home.member(), await guildhall.register()]
    const code = await invite(guildhall, ada, home.channel, { max_uses: 5 })
    await banWith(brian, dora.email)
    await joinAndDie(dora, code)
    await expect.poll(() => isMember(dora)).toBe(false)
    await expect.poll(() => usesOf(code)).toBe(0)
  })

  it('is kept if the account has a session from a banned network, but joined from another', async () => {
    const [brian, dora] = [await home.member(), await guildhall.register()]
    for (const account of [brian, dora]) await signIn(account, '198.51.100.80')
    expect((await home.send(ada, 'PUT', `/bans/${brian.id}`, {})).status).toBe(204)
    expect((await accept(guildhall, dora, await invite(guildhall, ada, home.channel))).status).toBe(200)
    await settleAll()
    expect(await isMember(dora)).toBe(true)
  })

  it('is kept if the ban came after it, however late a worker checks', async () => {
    const [brian, dora] = [await home.member(), await guildhall.register()]
    expect((await accept(guildhall, dora, await invite(guildhall, ada, home.channel))).status).toBe(200)
    await banWith(brian, dora.email)
    await settleAll()
    expect(await isMember(dora)).toBe(true)
  })

  it('leads to the account’s settings for every guild that it joins', async () => {
    const dora = await guildhall.register()
    const chosen = { default_guilds_restricted: true, default_hide_muted_channels: true }
    expect((await settings(dora, chosen)).status).toBe(200)
    await joinAndDie(dora, await invite(guildhall, ada, home.channel))
    await expect.poll(() => restricted(dora)).toStrictEqual([home.id])
    const { aggregates } = guildhall.ports
    const ofGuild = async () => (await aggregates.userGuildSettings.load(`${dora.id}-${home.id}`)).state
    await expect.poll(ofGuild).toMatchObject({ settings: { hideMutedChannels: true } })
  })

  it('does not restore what the account has reverted since', async () => {
    const dora = await guildhall.register()
    expect((await settings(dora, { default_guilds_restricted: true })).status).toBe(200)
    expect((await accept(guildhall, dora, await invite(guildhall, ada, home.channel))).status).toBe(200)
    expect(await restricted(dora)).toStrictEqual([home.id])
    expect((await settings(dora, { restricted_guilds: [] })).status).toBe(200)
    await settleAll()
    expect(await restricted(dora)).toStrictEqual([])
  })
})
