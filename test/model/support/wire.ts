import { expect } from 'vitest'
import type { ModelCaller, Person } from './cast.ts'
import { maskOf, threadBits, viewable } from './rules.ts'
import type { ModelGuild, ModelInvite, World } from './world.ts'

/** The objects of the answers, as far as the model knows them. */

export type Body = Readonly<Record<string, unknown>>

/** An answer whose unordered parts are sorted. */
export function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inOrder(key, ordered(member))]))
}

function inOrder(key: string, member: unknown): unknown {
  if (!Array.isArray(member)) return member
  if (key === 'features') return inAlphabet(member.map(String))
  if (key === 'recipients') return member.toSorted(by('username'))
  if (key === 'changes') return member.toSorted(by('key'))
  if (key !== 'roles' && key !== 'channels') return member
  return member.toSorted((one: Body, other: Body) => compareIds(String(one['id']), String(other['id'])))
}

const by = (key: string) => (one: Body, other: Body) => (String(one[key]) < String(other[key]) ? -1 : 1)

const inAlphabet = (texts: readonly string[]): readonly string[] =>
  texts.toSorted((one, other) => (one < other ? -1 : 1))

export const compareIds = (one: string, other: string): number => Number(BigInt(one) - BigInt(other))

export function guildObject(guild: ModelGuild): Body {
  const { nsfw, message_history_cutoff: cutoff, ...settings } = guild.settings
  return {
    id: guild.id,
    owner_id: guild.ownerId,
    ...settings,
    nsfw,
    nsfw_level: nsfw ? 3 : 0,
    ...(cutoff === undefined ? {} : { message_history_cutoff: cutoff }),
    ...noImages,
    vanity_url_code: guild.customCode,
    rules_channel_id: null,
    features: inAlphabet([...guild.features]),
  }
}

const noImages = {
  icon: null,
  banner: null,
  banner_width: null,
  banner_height: null,
  splash: null,
  splash_width: null,
  splash_height: null,
  embed_splash: null,
  embed_splash_width: null,
  embed_splash_height: null,
}

/** Whether the caller sees thread permissions: a bot, and a session that understands threads (contract, Asset rule 4). */
export function seesThreads({ person, scopes }: ModelCaller, declares: boolean): boolean {
  return person?.isBot === true || (declares && scopes === undefined)
}

/** What Get guild returns to a member. */
export function fullGuild(world: World, guild: ModelGuild, person: Person, threads: boolean): Body {
  const channels = viewable(guild, person.id).map(({ id, name, type, parentId }) => ({
    id,
    name,
    type,
    parent_id: parentId,
  }))
  const roles = [...guild.roles].map(([id, mask]) => ({ id, permissions: shown(mask, threads) }))
  return {
    ...guildObject(guild),
    channels: channels.toSorted((one, other) => compareIds(one.id, other.id)),
    roles: roles.toSorted((one, other) => compareIds(one.id, other.id)),
    emojis: [],
    stickers: [],
    member_count: guild.members.size,
    online_count: onlineIn(world, guild),
  }
}

const shown = (mask: bigint, threads: boolean): string => (threads ? mask : mask & ~threadBits).toString()

export function listedGuild(guild: ModelGuild, person: Person, threads: boolean): Body {
  return { ...guildObject(guild), permissions: shown(maskOf(guild, person.id), threads) }
}

export function onlineIn(world: World, { members }: ModelGuild): number {
  return [...members.keys()].filter((id) => world.byId(id)?.person?.isPresent).length
}

/** The invite object; the channel is the one that it leads to. */
export function inviteObject(
  world: World,
  guild: ModelGuild,
  invite: Pick<ModelInvite, 'code' | 'temporary' | 'maxAge' | 'createdAt'> & { readonly inviterId: string | null },
  channelId: string,
): Body {
  const channel = guild.channels?.find(({ id }) => id === channelId)
  const expiry = new Date(Date.parse(invite.createdAt) + invite.maxAge * 1000)
  return {
    code: invite.code,
    type: 0,
    guild: { id: guild.id, name: guild.settings.name, ...noImages, features: inAlphabet([...guild.features]) },
    ...(channel && { channel: { id: channelId, name: channel.name, type: channel.type } }),
    inviter: invite.inviterId === null ? null : { id: invite.inviterId },
    member_count: guild.members.size,
    presence_count: onlineIn(world, guild),
    expires_at: invite.maxAge === 0 ? null : expiry.toISOString(),
    temporary: invite.temporary,
  }
}

export function inviteMetadata(world: World, guild: ModelGuild, invite: ModelInvite): Body {
  const { createdAt, uses, maxUses, maxAge } = invite
  return {
    ...inviteObject(world, guild, invite, invite.channelId),
    created_at: createdAt,
    uses,
    max_uses: maxUses,
    max_age: maxAge,
  }
}

/** Expects that members are missing. */
export function expectNone(body: unknown, ...members: readonly string[]): void {
  for (const member of members) expect(body).not.toHaveProperty(member)
}
