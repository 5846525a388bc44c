import type { Person } from '../support/cast.ts'
import type { Told } from '../support/outcomes.ts'
import { can, isUnavailable, type Permission } from '../support/rules.ts'
import { guildObject, inviteMetadata, type Body } from '../support/wire.ts'
import type { ModelChannel, ModelGuild, ModelInvite, World } from '../support/world.ts'

/** What the owner's session hears of acts of the owner and others. */

const listenerIn = (world: World): Person => {
  const { person } = world.cast.callers.owner
  if (!person) throw new Error('Nobody listens')
  return person
}

export const isListener = (world: World, accountId: string): boolean => listenerIn(world).id === accountId

/** What is sent to a guild, if the listener is in it. With a permission: to those who hold it in the guild or the channel. */
export function toGuild(
  world: World,
  guild: ModelGuild,
  told: Told,
  needs?: Permission,
  channel?: ModelChannel,
): readonly Told[] {
  const listener = listenerIn(world)
  if (!guild.members.has(listener.id) || isUnavailable(guild, { ...listener, isStaff: false })) return []
  return needs === undefined || can(guild, listener, needs, channel) ? [told] : []
}

/** Guild Update also goes to members who cannot reach the guild. */
export function guildUpdated(world: World, guild: ModelGuild): readonly Told[] {
  const told = { t: 'GUILD_UPDATE', d: { ...guildObject(guild), guild_id: guild.id } }
  return guild.members.has(listenerIn(world).id) ? [told] : []
}

export function entriesTold(world: World, guild: ModelGuild, entries: readonly Body[]): readonly Told[] {
  return entries.flatMap((entry) => {
    const told = { t: 'GUILD_AUDIT_LOG_ENTRY_CREATE', d: { ...entry, guild_id: guild.id } }
    return toGuild(world, guild, told, 'VIEW_AUDIT_LOG')
  })
}

/** What the listener hears of a guild that it has joined, or that is gone for it. */
export const ofOwnGuild = (t: 'GUILD_CREATE' | 'GUILD_DELETE', d: Body): readonly Told[] => [
  { t, d },
  { t: 'USER_SETTINGS_UPDATE', d: {} },
]

/** Invite Create and Invite Delete, for those who manage the channel. */
export function inviteTold(
  world: World,
  guild: ModelGuild,
  invite: ModelInvite,
  t: 'INVITE_CREATE' | 'INVITE_DELETE',
): readonly Told[] {
  const { code, channelId } = invite
  const channel = guild.channels?.find(({ id }) => id === channelId)
  const gone = { code, channel_id: channelId, guild_id: guild.id }
  const { member_count: _, presence_count: __, ...made } = inviteMetadata(world, guild, invite)
  return toGuild(
    world,
    guild,
    { t, d: t === 'INVITE_CREATE' ? { ...made, ...gone } : gone },
    'MANAGE_CHANNELS',
    channel,
  )
}
