import { describe, expect, it } from 'vitest'
import { viewableChannels } from '../../../../domain/permissions/viewable-channels.ts'
import { deleteGuild } from '../../../../application/communities/guilds/delete-guild.ts'
import { getGuild } from '../../../../application/communities/guilds/get-guild.ts'
import { leaveGuild } from '../../../../application/communities/guilds/leave-guild.ts'
import { listOwnGuilds } from '../../../../application/communities/guilds/list-own-guilds.ts'
import { transferOwnership } from '../../../../application/communities/guilds/transfer-ownership.ts'
import { acceptInvite } from '../../../../application/communities/invites/accept-invite.ts'
import { plainChannel } from '../../../../domain/guild/layout.ts'
import { channelTypes, type Channel } from '../../../../domain/guild/channel.ts'
import type { GuildFeature } from '../../../../domain/guild/features.ts'
import { channelId, guildId, type AccountId, type GuildId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import {
  newGuildEveryonePermissions,
  threadPermissions,
  permissionBits,
} from '../../../../domain/permissions/permission-bits.ts'
import { codeOf, fieldsOf } from '../../support/refusals.ts'
import { stranger, world, type World } from '../../support/world.ts'

const nowhere = guildId(snowflake('7'))
const unavailable: readonly GuildFeature[] = ['UNAVAILABLE_FOR_EVERYONE']

async function scene() {
  const on = world()
  const [ada, brian, carol] = [await on.newcomer('Ada'), await on.newcomer('Brian'), await on.newcomer('Carol')]
  const { id, code } = await on.guildOf(ada)
  await acceptInvite(on.ports)(await on.as(brian), code)
  return { on, ada, brian, carol, id }
}

async function setFeatures(on: World, id: GuildId, features: readonly GuildFeature[]): Promise<void> {
  await on.ports.aggregates.guild.execute(id, { type: 'SetFeatures', features }, on.requester().context)
}

const get = async (on: World, account: AccountId, id: GuildId) => getGuild(on.ports)(await on.as(account), id)
const leave = async (on: World, account: AccountId, id: GuildId, deleteMessages = false, proveSudo = async () => {}) =>
  leaveGuild(on.ports)(await on.as(account), id, deleteMessages, proveSudo)
const remove = async (on: World, account: AccountId, id: GuildId) => deleteGuild(on.ports)(await on.as(account), id)

describe('getting a guild', () => {
  it('shows a member its roles and channels and counts, and no permissions', async () => {
    const { on, brian, id } = await scene()
    const found = await get(on, brian, id)
    expect(found).toMatchObject({ id, member_count: 2, online_count: 0, emojis: [], stickers: [] })
    expect(found.roles).toMatchObject([{ id, name: '@everyone', position: 0, hoist_position: null }])
    expect(found.channels.map(({ type }) => type)).toStrictEqual([4, 4, 0, 2])
    expect(found).not.toHaveProperty('permissions')
  })

  it('removes thread permissions from role masks for callers without thread access', async () => {
    const { on, brian, id } = await scene()
    const masks = async (...capabilities: readonly string[]) => {
      const caller = { ...(await on.as(brian)), capabilities: new Set(capabilities) }
      const { roles } = await getGuild(on.ports)(caller, id)
      return roles.map(({ permissions }) => permissions)
    }
    expect(await masks()).toStrictEqual([(newGuildEveryonePermissions & ~threadPermissions).toString()])
    expect(await masks('channel_threads')).toStrictEqual([newGuildEveryonePermissions.toString()])
  })

  it('refuses: unknown, then unavailable, then a stranger', async () => {
    const { on, brian, carol, id } = await scene()
    expect(await codeOf(get(on, brian, nowhere))).toBe('UNKNOWN_GUILD')
    expect(await codeOf(get(on, carol, id))).toBe('MISSING_PERMISSIONS')
    await setFeatures(on, id, unavailable)
    expect(await codeOf(get(on, brian, id))).toBe('MISSING_ACCESS')
    expect(await codeOf(get(on, carol, id))).toBe('MISSING_ACCESS')
  })
})

describe('the channels that a member can view', () => {
  const channel = (id: string, members: Partial<Channel>): Channel => ({
    id: channelId(snowflake(id)),
    type: channelTypes.text,
    name: 'a channel',
    position: 0,
    ...plainChannel,
    ...members,
  })
  const view = permissionBits.VIEW_CHANNEL.toString()

  it('are those with VIEW_CHANNEL, forum channels for everybody, and a category with a visible child', async () => {
    const { on, ada, brian, id } = await scene()
    const { state } = await on.ports.aggregates.guild.load(id)
    if (state.status !== 'active') throw new Error('There is no guild')
    const hidden = [{ id, type: 0, allow: '0', deny: view }] as const
    const channels = [
      channel('1', { type: channelTypes.category, overwrites: hidden }),
      channel('2', { parentId: channelId(snowflake('1')) }),
      channel('3', { type: channelTypes.category, overwrites: hidden }),
      channel('4', { type: channelTypes.forum, parentId: channelId(snowflake('3')) }),
      channel('5', { overwrites: hidden }),
      channel('6', { overwrites: [...hidden, { id: brian, type: 1, allow: view, deny: '0' }] }),
    ]
    const guild = { ...state, channels }
    const idsFor = (accountId: AccountId, threadAccess: boolean) =>
      viewableChannels(guild, { accountId, roles: [] }, { threadAccess }).map((each) => each.id)
    expect(idsFor(brian, false)).toStrictEqual(['1', '2', '4', '6'])
    expect(idsFor(brian, true)).toStrictEqual(['1', '2', '3', '4', '6'])
    expect(idsFor(stranger, true)).toStrictEqual(['1', '2', '3', '4'])
    expect(idsFor(ada, false)).toStrictEqual(['1', '2', '3', '4', '5', '6'])
  })
})

describe('listing own guilds', () => {
  it('returns permissions in each, counts on request, and unavailable guilds too', async () => {
    const { on, ada, brian, id } = await scene()
    await setFeatures(on, id, unavailable)
    const list = async (account: AccountId, withCounts: boolean) =>
      listOwnGuilds(on.ports)(await on.as(account), { limit: 200 }, withCounts)
    const [own] = await list(brian, false)
    expect(own).toMatchObject({ id, permissions: (newGuildEveryonePermissions & ~threadPermissions).toString() })
    expect(own).not.toHaveProperty('approximate_member_count')
    expect(own).not.toHaveProperty('threads_active')
    expect(await list(brian, true)).toMatchObject([{ approximate_member_count: 2, approximate_presence_count: 0 }])
    expect(await list(ada, false)).toMatchObject([
      { permissions: (0xffff_ffff_ffff_ffffn & ~threadPermissions).toString() },
    ])
  })

  it('says that threads are active to callers that declare to understand them', async () => {
    const { on, ada } = await scene()
    const caller = { ...(await on.as(ada)), capabilities: new Set(['channel_threads']) }
    expect(await listOwnGuilds(on.ports)(caller, { limit: 1 }, false)).toMatchObject([
      { threads_active: true, permissions: '18446744073709551615' },
    ])
  })
})

describe('leaving a guild', () => {
  it('ends the membership, also of an unavailable guild', async () => {
    const { on, brian, id } = await scene()
    await setFeatures(on, id, unavailable)
    await leave(on, brian, id)
    await on.ports.readModels.reached(0n)
    expect(await on.ports.queries.members.find(id, brian)).toBeUndefined()
    expect(await codeOf(leave(on, brian, id))).toBe('UNKNOWN_MEMBER')
  })

  it('refuses the owner on guild_id', async () => {
    const { on, ada, id } = await scene()
    expect(await fieldsOf(leave(on, ada, id))).toStrictEqual([field('guild_id', 'CANNOT_LEAVE_GUILD_AS_OWNER')])
  })

  it('says UNKNOWN_MEMBER to a stranger, whether or not the guild exists', async () => {
    const { on, carol, id } = await scene()
    expect(await codeOf(leave(on, carol, id))).toBe('UNKNOWN_MEMBER')
    expect(await codeOf(leave(on, carol, nowhere))).toBe('UNKNOWN_MEMBER')
  })

  it('tells a stranger who wants messages deleted whether the guild exists', async () => {
    const { on, carol, id } = await scene()
    expect(await codeOf(leave(on, carol, id, true))).toBe('MISSING_PERMISSIONS')
    expect(await codeOf(leave(on, carol, nowhere, true))).toBe('UNKNOWN_GUILD')
  })
})

describe('transferring a guild', () => {
  it('gets the same answer when a former owner repeats the same command', async () => {
    const { on, ada, brian, id } = await scene()
    const first = await on.as(ada)
    const given = await transferOwnership(on.ports)(first, id, brian)
    const again = await on.as(ada, { commandId: first.context.commandId, mayRepeat: true })
    expect(await transferOwnership(on.ports)(again, id, brian)).toStrictEqual(given)
    const another = transferOwnership(on.ports)(await on.as(ada, { mayRepeat: true }), id, brian)
    expect(await codeOf(another)).toBe('MISSING_PERMISSIONS')
  })
})

describe('deleting a guild', () => {
  it('is for its owner alone, who then finds it gone', async () => {
    const { on, ada, brian, carol, id } = await scene()
    expect(await codeOf(remove(on, brian, id))).toBe('MISSING_PERMISSIONS')
    expect(await codeOf(remove(on, carol, id))).toBe('MISSING_PERMISSIONS')
    expect(await codeOf(remove(on, ada, nowhere))).toBe('UNKNOWN_GUILD')
    await remove(on, ada, id)
    await on.ports.readModels.reached(0n)
    expect(await codeOf(get(on, ada, id))).toBe('UNKNOWN_GUILD')
    expect(await codeOf(remove(on, ada, id))).toBe('UNKNOWN_GUILD')
    expect(await on.ports.queries.members.guildCountOf(brian)).toBe(0)
  })

  it('gets the same answer when its sender repeats it, and nobody else does', async () => {
    const { on, ada, id } = await scene()
    const first = await on.as(ada)
    await deleteGuild(on.ports)(first, id)
    const again = await on.as(ada, { commandId: first.context.commandId, mayRepeat: true })
    await deleteGuild(on.ports)(again, id)
    expect(again.context.written).toBe(first.context.written)
    expect(await codeOf(deleteGuild(on.ports)(await on.as(ada, { mayRepeat: true }), id))).toBe('UNKNOWN_GUILD')
  })

  it('is never for a bot, and not while the guild is unavailable', async () => {
    const { on, ada, id } = await scene()
    on.setAccount(ada, { bot: true })
    expect(await codeOf(remove(on, ada, id))).toBe('MISSING_PERMISSIONS')
    await setFeatures(on, id, unavailable)
    expect(await codeOf(remove(on, ada, id))).toBe('MISSING_ACCESS')
  })
})
