import { afterEach, describe, expect, it, vi } from 'vitest'
import { disabledOperationBits } from '../../../../domain/guild/state.ts'
import { guildId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { administrator } from '../../../support/administrators.ts'
import { testContext } from '../../../support/test-context.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, crowd, expectRefusal, found, invite, type TestGuild } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { chess, directoryOf, publicDirectoryOf, reviewsOf } from '../../support/discovery.ts'
import { commandGuild, nowhere, setFeatures } from '../../support/guilds.ts'
import { send } from '../../support/messages.ts'
import { setFlags } from '../../support/relationships.ts'
import { openServer } from '../../support/scene.ts'

/** Join discovery guild, which refuses in the order of Accept invite (rules/directory#join). */

const guilds_max = 2
const members_max = 4
const guildhall = await openServer({
  limits: { max_guilds: guilds_max, max_guild_members: members_max },
})
const admin = await administrator(guildhall, 'admin:authenticate', 'discovery:review', 'discovery:remove')
const directory = directoryOf(guildhall)
const everyone = publicDirectoryOf(guildhall)
const reviews = reviewsOf(guildhall, admin)
const { connect, end } = connections()

afterEach(() => {
  vi.restoreAllMocks()
  end()
})

interface Listed extends TestGuild {
  readonly owner: TestAccount
}

async function listed(): Promise<Listed> {
  const owner = await guildhall.register()
  const guild = await found(guildhall, owner)
  bodyOf(await directory.apply(owner, guild.id, chess))
  bodyOf(await reviews.approve(guild.id))
  return { ...guild, owner }
}

const byOwner = ({ id, owner: { token } }: Listed, method: string, path: string, body?: object) =>
  guildhall.request(method, `/v1/guilds/${id}${path}`, { token, ...(body ? { body } : {}) })
const ban = (guild: Listed, { id }: TestAccount) => byOwner(guild, 'PUT', `/bans/${id}`, {})

/** What is in history of an account's membership. */
async function membershipOf({ id }: TestGuild, account: TestAccount) {
  const events: { readonly type: string; readonly data: object }[] = []
  for await (const page of guildhall.store.events.readStream(`membership-${id}-${account.id}`, -1))
    events.push(...page.map(({ type, data }) => ({ type, data })))
  return events
}
const typesOf = async (guild: TestGuild, account: TestAccount) =>
  (await membershipOf(guild, account)).map(({ type }) => type)

describe('Join discovery guild', () => {
  it('admits by the directory, and changes nothing for a member', async () => {
    const guild = await listed()
    const dan = await guildhall.register()
    expect((await everyone.join(dan, guild.id)).status).toBe(204)
    expect((await everyone.join(dan, guild.id)).status).toBe(204)
    expect(await membershipOf(guild, dan)).toMatchObject([
      { type: 'MemberJoined', data: { admission: { by: 'discovery' }, temporary: false } },
    ])
  })

  it('tells both sides what an invite would, once, and shows no channel that is hidden from members', async () => {
    const guild = await listed()
    const deny = [{ id: guild.id, type: 0, deny: '1024', allow: '0' }]
    const hidden = bodyOf(
      await byOwner(guild, 'POST', '/channels', { name: 'staff', type: 0, permission_overwrites: deny }),
    )
    const dan = await guildhall.register()
    const chosen = { default_guilds_restricted: true, default_hide_muted_channels: true }
    const settings = { token: dan.token, body: chosen }
    bodyOf(await guildhall.request('PATCH', '/v1/users/@me/settings', settings))
    const [{ client: owners }, { client: own }] = [await connect(guildhall, guild.owner), await connect(guildhall, dan)]
    expect((await everyone.join(dan, guild.id)).status).toBe(204)
    const created = (await own.dispatch('GUILD_CREATE')).d
    expect(created['id']).toBe(guild.id)
    expect(JSON.stringify(created)).not.toContain(String(hidden['id']))
    const joined = await owners.dispatch('GUILD_MEMBER_ADD')
    expect(joined.d).toMatchObject({ guild_id: guild.id, user: { id: dan.id } })
    const message = { channel_id: guild.channel, type: 7, author: { id: dan.id } }
    expect((await owners.dispatch('MESSAGE_CREATE')).d).toMatchObject(message)
    const told = (name: string) => own.dispatches.filter(({ t }) => t === name).map(({ d }) => d)
    // Each has all settings as they are by then, so that one of them may come twice.
    await expect.poll(() => told('USER_SETTINGS_UPDATE').at(-1)).toMatchObject({ restricted_guilds: [guild.id] })
    const ofGuild = { guild_id: guild.id, hide_muted_channels: true }
    await expect.poll(() => told('USER_GUILD_SETTINGS_UPDATE').at(-1)).toMatchObject(ofGuild)
    // A second join tells nobody anything: the next that they hear of is what is said after it.
    expect((await everyone.join(dan, guild.id)).status).toBe(204)
    bodyOf(await send(guildhall, guild.owner, String(hidden['id']), 'among us'))
    bodyOf(await send(guildhall, guild.owner, guild.channel, 'welcome'))
    const isWelcome = ({ t, d }: { readonly t?: string; readonly d: object }) =>
      t === 'MESSAGE_CREATE' && 'content' in d && d.content === 'welcome'
    await own.until(isWelcome, 'welcome')
    await owners.until(isWelcome, 'welcome')
    expect(owners.dispatches.filter(({ t }) => t === 'GUILD_MEMBER_ADD')).toHaveLength(1)
    expect(told('GUILD_CREATE')).toHaveLength(1)
    expect(JSON.stringify(own.dispatches)).not.toContain('among us')
  })

  it('says nothing in the guild where it greets nobody', async () => {
    const guild = await listed()
    bodyOf(await byOwner(guild, 'PATCH', '', { system_channel_flags: 1 }))
    const dan = await guildhall.register()
    expect((await everyone.join(dan, guild.id)).status).toBe(204)
    const path = `/v1/channels/${guild.channel}/messages`
    expect((await guildhall.request('GET', path, { token: dan.token })).body).toStrictEqual([])
  })

  it('answers alike for unknown guilds, and for guilds that are not listed, not any more, or not yet', async () => {
    const [ada, dan] = [await guildhall.register(), await guildhall.register()]
    const [plain, pending] = [await found(guildhall, ada), await found(guildhall, ada)]
    bodyOf(await directory.apply(ada, pending.id))
    const [removed, withdrawn] = [await listed(), await listed()]
    bodyOf(await reviews.remove(removed.id))
    expect((await directory.withdraw(withdrawn.owner, withdrawn.id)).status).toBe(204)
    const answers = await Promise.all(
      [nowhere, plain.id, pending.id, removed.id, withdrawn.id].map((id) => everyone.join(dan, id)),
    )
    for (const answer of answers) expectRefusal(answer, 400, 'DISCOVERY_NOT_DISCOVERABLE')
    expect(new Set(answers.map(({ body }) => JSON.stringify({ ...(body as object), request_id: '' }))).size).toBe(1)
  })
})

describe('the refusals of Join discovery guild', () => {
  it('come in the order of Accept invite, and none of them lets the account in', async () => {
    const guild = await listed()
    const [dan, member, ...others] = await crowd(guildhall, members_max)
    if (!dan || !member) throw new Error('Nobody came')
    for (const each of [member, ...others]) expect((await everyone.join(each, guild.id)).status).toBe(204)
    for (let count = 0; count < guilds_max; count += 1) await found(guildhall, dan)
    const refused = async (status: number, code: string) =>
      expectRefusal(await everyone.join(dan, guild.id), status, code)

    await setFlags(guildhall, dan, 'ACCOUNT_LIMITED')
    expect((await ban(guild, dan)).status).toBe(204)
    const off = { disabledOperations: disabledOperationBits.INSTANT_INVITES }
    await commandGuild(guildhall, guild.id, { type: 'ChangeSettings', settings: off })
    await setFeatures(guildhall, guild.id, 'DISCOVERABLE', 'INVITES_DISABLED', 'UNAVAILABLE_FOR_EVERYONE')
    const { instancePolicies } = guildhall.ports
    await instancePolicies.change({ discovery: { enabled: false } }, testContext())
    for (const id of [guild.id, nowhere]) expectRefusal(await everyone.join(dan, id), 400, 'DISCOVERY_DISABLED')
    await instancePolicies.change({ discovery: { enabled: true } }, testContext())
    expectRefusal(await everyone.join(dan, nowhere), 400, 'DISCOVERY_NOT_DISCOVERABLE')
    await refused(403, 'ACCOUNT_LIMITED')
    await setFlags(guildhall, dan)
    await refused(403, 'MISSING_ACCESS')
    await setFeatures(guildhall, guild.id, 'DISCOVERABLE', 'INVITES_DISABLED')
    await refused(403, 'USER_BANNED_FROM_GUILD')
    expect((await byOwner(guild, 'DELETE', `/bans/${dan.id}`)).status).toBe(204)
    await refused(403, 'INVITES_DISABLED')
    await setFeatures(guildhall, guild.id, 'DISCOVERABLE', 'RAID_DETECTED')
    await refused(403, 'INVITES_DISABLED')
    await setFeatures(guildhall, guild.id, 'DISCOVERABLE')
    await refused(403, 'FEATURE_TEMPORARILY_DISABLED')
    await commandGuild(guildhall, guild.id, { type: 'ChangeSettings', settings: { disabledOperations: 0 } })
    await refused(400, 'MAX_GUILDS')
    const [own] = (await guildhall.request('GET', '/v1/users/@me/guilds', { token: dan.token })).body as {
      readonly id: string
    }[]
    const { password } = dan
    const removal = { token: dan.token, body: { password } }
    expect((await guildhall.request('POST', `/v1/guilds/${own?.id ?? ''}/delete`, removal)).status).toBe(204)
    await refused(400, 'MAX_GUILD_MEMBERS')
    expect(await typesOf(guild, dan)).not.toContain('MemberJoined')

    // None of it is asked of a member.
    await setFlags(guildhall, member, 'ACCOUNT_LIMITED')
    await setFeatures(guildhall, guild.id, 'DISCOVERABLE', 'INVITES_DISABLED')
    expect((await everyone.join(member, guild.id)).status).toBe(204)
    expect((await byOwner(guild, 'DELETE', `/members/${member.id}`)).status).toBe(204)
    await setFeatures(guildhall, guild.id, 'DISCOVERABLE')
    expect((await everyone.join(dan, guild.id)).status).toBe(204)
    expect((await typesOf(guild, dan)).at(-1)).toBe('MemberJoined')
  })

  it('have UNKNOWN_GUILD where the guild of an approved application is gone, after ACCOUNT_LIMITED', async () => {
    const guild = await listed()
    const dan = await guildhall.register()
    const { ports } = guildhall
    const { state } = await ports.aggregates.guild.load(guildId(snowflake(guild.id)))
    if (state.status !== 'active') throw new Error('The guild is gone')
    await setFlags(guildhall, dan, 'ACCOUNT_LIMITED')
    // As after the death of the process that deleted it: the application did not follow yet.
    await commandGuild(guildhall, guild.id, { type: 'DeleteGuild', by: state.ownerId })
    expectRefusal(await everyone.join(dan, guild.id), 403, 'ACCOUNT_LIMITED')
    await setFlags(guildhall, dan)
    expectRefusal(await everyone.join(dan, guild.id), 404, 'UNKNOWN_GUILD')
  })

  it('have both limits exact, where many join at once', async () => {
    const guild = await listed()
    const people = await crowd(guildhall, 8)
    const answers = await Promise.all(people.map((each) => everyone.join(each, guild.id)))
    const refused = answers.filter(({ status }) => status !== 204)
    expect(refused).toHaveLength(people.length - (members_max - 1))
    for (const answer of refused) expectRefusal(answer, 400, 'MAX_GUILD_MEMBERS')
    const places = await Promise.all(Array.from({ length: guilds_max + 2 }, listed))
    const dan = await guildhall.register()
    const joined = await Promise.all(places.map(({ id }) => everyone.join(dan, id)))
    const outside = joined.filter(({ status }) => status !== 204)
    expect(outside).toHaveLength(2)
    for (const answer of outside) expectRefusal(answer, 400, 'MAX_GUILDS')
  })
})

describe('a listing that is removed', () => {
  it('while somebody joins admits nobody', async () => {
    const guild = await listed()
    const dan = await guildhall.register()
    const { guilds } = guildhall.ports.queries
    const { findForNewcomer } = guilds
    vi.spyOn(guilds, 'findForNewcomer').mockImplementationOnce(async (...asked) => {
      bodyOf(await reviews.remove(guild.id))
      return findForNewcomer(...asked)
    })
    expectRefusal(await everyone.join(dan, guild.id), 400, 'DISCOVERY_NOT_DISCOVERABLE')
    expect(await typesOf(guild, dan)).toStrictEqual([])
  })

  it('admits nobody as soon as history has it, although no read model knows', async () => {
    const guild = await listed()
    const dan = await guildhall.register()
    const { pool } = guildhall.store.database
    const holder = await pool.connect()
    try {
      // The read models stand still.
      await holder.query('begin; lock table read_models.checkpoints in exclusive mode')
      const removal = reviews.remove(guild.id)
      const application = () => guildhall.ports.aggregates.discoveryApplication.load(guildId(snowflake(guild.id)))
      await expect.poll(async () => (await application()).state.status).toBe('removed')
      expect((await guildhall.ports.queries.discovery.find(guildId(snowflake(guild.id))))?.status).toBe('approved')
      expectRefusal(await everyone.join(dan, guild.id), 400, 'DISCOVERY_NOT_DISCOVERABLE')
      await holder.query('rollback')
      bodyOf(await removal)
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    expect(await typesOf(guild, dan)).toStrictEqual([])
    const code = await invite(guildhall, guild.owner, guild.channel)
    expect((await accept(guildhall, dan, code)).status).toBe(200)
  })
})
