import { describe, expect, it } from 'vitest'
import { acceptInvite } from '../../../../application/communities/invites/accept-invite.ts'
import { createChannelInvite } from '../../../../application/communities/invites/create-channel-invite.ts'
import type { InviteWishes } from '../../../../application/communities/invites/invite-wishes.ts'
import { deleteInvite } from '../../../../application/communities/invites/delete-invite.ts'
import { getInvite } from '../../../../application/communities/invites/get-invite.ts'
import { listChannelInvites, listGuildInvites } from '../../../../application/communities/invites/list-invites.ts'
import { deleteGuild } from '../../../../application/communities/guilds/delete-guild.ts'
import { readAuditLog } from '../../../../application/communities/audit-log/read-audit-log.ts'
import type { GuildCommand } from '../../../../domain/guild/commands.ts'
import { disabledOperationBits } from '../../../../domain/guild/state.ts'
import {
  channelId,
  guildId,
  inviteCode,
  type AccountId,
  type ChannelId,
  type GuildId,
  type InviteCode,
} from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { codeOf, fieldsOf } from '../../support/refusals.ts'
import { world, type World } from '../../support/world.ts'
import type { WorldOptions } from '../../support/world-options.ts'

const plain: InviteWishes = { maxUses: 0, maxAge: 0, unique: false, temporary: false }
const nowhere = snowflake('7')
const unknown = inviteCode('nobodys1')

async function scene(options?: WorldOptions) {
  const on = world(options)
  const [ada, brian, carol] = [await on.newcomer('Ada'), await on.newcomer('Brian'), await on.newcomer('Carol')]
  const { id, code, channel } = await on.guildOf(ada, { maxUses: 50 })
  await acceptInvite(on.ports)(await on.as(brian), code)
  return { on, ada, brian, carol, id, code, channel }
}

const create = async (on: World, account: AccountId, channel: ChannelId, wishes: Partial<InviteWishes> = {}) =>
  createChannelInvite(on.ports)(await on.as(account), channel, { ...plain, ...wishes })
const remove = async (on: World, account: AccountId, code: InviteCode) =>
  deleteInvite(on.ports)(await on.as(account), code)
const ofChannel = async (on: World, account: AccountId, channel: ChannelId) =>
  listChannelInvites(on.ports)(await on.as(account), channel)
const ofGuild = async (on: World, account: AccountId, id: GuildId) =>
  listGuildInvites(on.ports)(await on.as(account), id)
const change = async (on: World, id: GuildId, command: GuildCommand) =>
  void (await on.ports.aggregates.guild.execute(id, command, on.requester().context))

describe('creating a channel invite', () => {
  it('returns an existing equivalent invite, and changes nothing', async () => {
    const { on, brian, channel } = await scene()
    const made = await create(on, brian, channel, { maxUses: 3 })
    const before = (await on.events()).length
    expect(await create(on, brian, channel, { maxUses: 3 })).toStrictEqual(made)
    expect(await on.events()).toHaveLength(before)
    expect((await create(on, brian, channel, { maxUses: 3, unique: true })).code).not.toBe(made.code)
    expect((await create(on, brian, channel, { maxUses: 4 })).code).not.toBe(made.code)
  })

  it('creates no more than the limit of many at once', async () => {
    const { on, brian, id, channel } = await scene({ lag_ms: 5, limits: { max_guild_invites: 10 } })
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, () =>
        create(on, brian, channel, { unique: true }).then(
          () => 'made',
          (error: Error) => error.message,
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(9)
    expect(outcomes.filter((outcome) => outcome === 'MAX_INVITES')).toHaveLength(31)
    expect(await on.ports.queries.invites.countOf(id, on.now)).toBe(10)
  })

  it('refuses a stranger, an unknown channel, and if instant invites are disabled', async () => {
    const { on, brian, carol, id, channel } = await scene()
    expect(await codeOf(create(on, carol, channel))).toBe('MISSING_PERMISSIONS')
    expect(await codeOf(create(on, brian, channelId(nowhere)))).toBe('UNKNOWN_CHANNEL')
    await change(on, id, {
      type: 'ChangeSettings',
      settings: { disabledOperations: disabledOperationBits.INSTANT_INVITES },
    })
    expect(await codeOf(create(on, brian, channel))).toBe('FEATURE_TEMPORARILY_DISABLED')
    await change(on, id, { type: 'ChangeSettings', settings: { nsfw: true } })
    expect(await codeOf(create(on, brian, channel))).toBe('NSFW_CONTENT_AGE_RESTRICTED')
  })
})

describe('getting an invite', () => {
  const get = (on: World, code: InviteCode) => getInvite(on.ports)(on.requester(), code)

  it('shows it to anybody, and takes no use', async () => {
    const { on, ada, id, code, channel } = await scene()
    expect(await get(on, code)).toStrictEqual({
      code,
      type: 0,
      guild: expect.objectContaining({ id, name: 'Home' }),
      channel: { id: channel, name: 'general', type: 0 },
      inviter: expect.objectContaining({ id: ada }),
      member_count: 2,
      presence_count: 0,
      expires_at: null,
      temporary: false,
    })
    expect(await on.ports.queries.invites.find(code, on.now)).toMatchObject({ uses: 1 })
  })

  it('shows when it ends, and does not find it from then on', async () => {
    const { on, ada, channel } = await scene()
    const { code, created_at } = await create(on, ada, channel, { maxAge: 60 })
    expect((await get(on, inviteCode(code))).expires_at).toBe(new Date(Date.parse(created_at) + 60_000).toISOString())
    on.wait(59_999)
    expect(await get(on, inviteCode(code))).toHaveProperty('code')
    on.wait(1)
    expect(await codeOf(get(on, inviteCode(code)))).toBe('UNKNOWN_INVITE')
  })

  it('refuses: an unknown code, in another case too, and one whose guild is gone', async () => {
    const { on, ada, id, code } = await scene()
    expect(await codeOf(get(on, unknown))).toBe('UNKNOWN_INVITE')
    const otherCase = code.replace(/[A-Za-z]/, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )
    expect(await codeOf(get(on, inviteCode(otherCase)))).toBe('UNKNOWN_INVITE')
    await deleteGuild(on.ports)(await on.as(ada), id)
    await on.ports.readModels.reached(0n)
    expect(await codeOf(get(on, code))).toBe('UNKNOWN_GUILD')
  })
})

describe('deleting an invite', () => {
  it('is for its creator and for holders of MANAGE_GUILD, and leaves an audit entry', async () => {
    const { on, ada, brian, id, code, channel } = await scene()
    const own = inviteCode((await create(on, brian, channel)).code)
    expect(await codeOf(remove(on, brian, code))).toBe('MISSING_PERMISSIONS')
    await remove(on, brian, own)
    await remove(on, ada, code)
    expect(await codeOf(remove(on, ada, code))).toBe('UNKNOWN_INVITE')
    const log = await readAuditLog(on.ports)(await on.as(ada), id, { limit: 2 })
    expect(log.audit_log_entries).toMatchObject([
      { action_type: 42, user_id: ada, target_id: code },
      { action_type: 42, user_id: brian, target_id: own },
    ])
  })

  it('asks all but the creator and the owner for a second factor if the guild demands it', async () => {
    const { on, ada, brian, id, code, channel } = await scene()
    const own = inviteCode((await create(on, brian, channel)).code)
    const admins = { type: 'ChangeSettings', settings: { mfaLevel: 1 } } as const
    await change(on, id, admins)
    await remove(on, brian, own)
    await remove(on, ada, code)
  })

  it('refuses a stranger, an unknown code, and while the guild is unavailable', async () => {
    const { on, ada, carol, id, code } = await scene()
    expect(await codeOf(remove(on, carol, code))).toBe('MISSING_PERMISSIONS')
    expect(await codeOf(remove(on, ada, unknown))).toBe('UNKNOWN_INVITE')
    await change(on, id, { type: 'SetFeatures', features: ['UNAVAILABLE_FOR_EVERYONE'] })
    expect(await codeOf(remove(on, ada, code))).toBe('MISSING_ACCESS')
  })
})

describe('listing invites', () => {
  it('returns those of a channel or of the whole guild, newest first, with their uses', async () => {
    const { on, ada, brian, id, code, channel } = await scene()
    on.wait(1000)
    const { code: second } = await create(on, brian, channel, { maxAge: 60 })
    expect(await ofGuild(on, ada, id)).toMatchObject([
      { code: second, inviter: { id: brian }, uses: 0, max_uses: 0, max_age: 60 },
      { code, inviter: { id: ada }, uses: 1, max_uses: 50, max_age: 0, member_count: 2 },
    ])
    expect(await ofChannel(on, ada, channel)).toHaveLength(2)
    on.wait(60_000)
    expect(await ofChannel(on, ada, channel)).toMatchObject([{ code }])
  })

  it('of a channel is refused: unknown, stranger, without MANAGE_CHANNELS, too young', async () => {
    const { on, ada, brian, carol, id, channel } = await scene()
    expect(await codeOf(ofChannel(on, ada, channelId(nowhere)))).toBe('UNKNOWN_CHANNEL')
    expect(await codeOf(ofChannel(on, carol, channel))).toBe('MISSING_PERMISSIONS')
    expect(await codeOf(ofChannel(on, brian, channel))).toBe('MISSING_PERMISSIONS')
    await change(on, id, { type: 'ChangeSettings', settings: { nsfw: true } })
    expect(await codeOf(ofChannel(on, brian, channel))).toBe('MISSING_PERMISSIONS')
    expect(await codeOf(ofChannel(on, ada, channel))).toBe('NSFW_CONTENT_AGE_RESTRICTED')
    on.setAccount(ada, { dateOfBirth: '2000-01-01' })
    expect(await ofChannel(on, ada, channel)).toHaveLength(1)
  })

  it('of a guild is refused: unknown, stranger, without MANAGE_GUILD, unavailable', async () => {
    const { on, ada, brian, carol, id } = await scene()
    expect(await codeOf(ofGuild(on, ada, guildId(nowhere)))).toBe('UNKNOWN_GUILD')
    expect(await codeOf(ofGuild(on, carol, id))).toBe('MISSING_PERMISSIONS')
    expect(await codeOf(ofGuild(on, brian, id))).toBe('MISSING_PERMISSIONS')
    await change(on, id, { type: 'SetFeatures', features: ['UNAVAILABLE_FOR_EVERYONE'] })
    expect(await codeOf(ofGuild(on, ada, id))).toBe('MISSING_ACCESS')
  })
})

describe('reading the audit log', () => {
  it('is for holders of VIEW_AUDIT_LOG, and names the accounts in it', async () => {
    const { on, ada, brian, carol, id, code, channel } = await scene()
    const read = async (account: AccountId, page = {}) =>
      readAuditLog(on.ports)(await on.as(account), id, { limit: 50, ...page })
    on.wait(5)
    await create(on, brian, channel, { maxUses: 7 })
    const log = await read(ada)
    expect(log.audit_log_entries).toMatchObject([
      { action_type: 40, user_id: brian, options: { channel_id: channel, max_uses: 7, inviter_id: brian } },
      { action_type: 40, user_id: ada, target_id: code },
    ])
    expect(log.users.map((user) => user.id).toSorted()).toStrictEqual([ada, brian].toSorted())
    expect(log).toMatchObject({ webhooks: [] })
    expect(log).not.toHaveProperty('threads')
    expect(await read(ada, { actorId: brian })).toMatchObject({ audit_log_entries: [{ user_id: brian }] })
    expect(await codeOf(read(brian))).toBe('MISSING_PERMISSIONS')
    expect(await codeOf(read(carol))).toBe('MISSING_PERMISSIONS')
  })

  it('forgets entries after 45 days', async () => {
    const { on, ada, id } = await scene()
    const read = async () =>
      (await readAuditLog(on.ports)(await on.as(ada), id, { limit: 50 })).audit_log_entries.length
    on.wait(45 * 86_400_000)
    expect(await read()).toBe(1)
    on.wait(1)
    expect(await read()).toBe(0)
  })

  it('shows threads only to callers that understand them', async () => {
    const { on, ada, id } = await scene()
    const caller = { ...(await on.as(ada)), capabilities: new Set(['channel_threads']) }
    expect(await readAuditLog(on.ports)(caller, id, { limit: 50, actionType: 110 })).toMatchObject({
      audit_log_entries: [],
      threads: [],
    })
    const without = readAuditLog(on.ports)(await on.as(ada), id, { limit: 50, actionType: 110 })
    expect(await fieldsOf(without)).toStrictEqual([field('action_type', 'INVALID_FORMAT')])
  })
})
