import { expect } from 'vitest'
import { guildFeatures, type GuildFeature } from '../../../domain/guild/features.ts'
import { guildId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { settle } from '../../operations/support/messages.ts'
import { testContext } from '../../support/test-context.ts'
import type { TestAnswer } from '../../support/test-guildhall.ts'
import type { ModelCaller } from '../support/cast.ts'
import { bits, boundBits, maskOf } from '../support/rules.ts'
import type { Stage } from '../support/stage.ts'
import { limits, type ModelChannel, type ModelGuild, type World } from '../support/world.ts'

/** What happens around the operations on guilds and invites: moves that succeed and are not judged. */

/** A move of a guild's owner; false if the owner cannot enter. */
async function asOwner(
  { send }: Stage,
  world: World,
  guild: ModelGuild,
  method: string,
  path: string,
  body?: unknown,
): Promise<TestAnswer | undefined> {
  const owner = world.byId(guild.ownerId)
  if (!owner || isShut(guild)) return undefined
  const answer = await send(owner, { method, path, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer
}

const isShut = ({ features }: ModelGuild): boolean =>
  features.has('UNAVAILABLE_FOR_EVERYONE') || features.has('UNAVAILABLE_FOR_EVERYONE_BUT_STAFF')

export async function giveRole(
  stage: Stage,
  world: World,
  guild: ModelGuild,
  to: ModelCaller,
  mask: bigint,
): Promise<void> {
  const member = guild.members.get(to.person?.id ?? '')
  if (!member) return
  const body = { name: 'Given', permissions: mask.toString() }
  const made = await asOwner(stage, world, guild, 'POST', `/v1/guilds/${guild.id}/roles`, body)
  if (!made) return
  const { id } = made.body as { readonly id: string }
  guild.roles.set(id, mask)
  await asOwner(stage, world, guild, 'PUT', `/v1/guilds/${guild.id}/members/${to.person?.id}/roles/${id}`)
  member.roles.add(id)
}

export async function takeRoles(stage: Stage, world: World, guild: ModelGuild, from: ModelCaller): Promise<void> {
  const member = guild.members.get(from.person?.id ?? '')
  if (!member) return
  const path = `/v1/guilds/${guild.id}/members/${from.person?.id}`
  if (await asOwner(stage, world, guild, 'PATCH', path, { roles: [] })) member.roles.clear()
}

/** Sets the permissions of everyone; bits that clients must declare stay as they are. */
export async function setEveryone(stage: Stage, world: World, guild: ModelGuild, mask: bigint): Promise<void> {
  const path = `/v1/guilds/${guild.id}/roles/${guild.id}`
  if (!(await asOwner(stage, world, guild, 'PATCH', path, { permissions: mask.toString() }))) return
  const before = guild.roles.get(guild.id) ?? 0n
  guild.roles.set(guild.id, (mask & ~boundBits) | (before & boundBits))
}

/** Denies everyone permissions in a channel that is not a category. */
export async function denyEveryone(
  stage: Stage,
  world: World,
  guild: ModelGuild,
  channel: ModelChannel,
  mask: bigint,
): Promise<void> {
  if (channel.type === 4) return
  const path = `/v1/channels/${channel.id}/permissions/${guild.id}`
  const body = { type: 0, allow: '0', deny: mask.toString() }
  if (!(await asOwner(stage, world, guild, 'PUT', path, body))) return
  channel.deny = mask
  channel.allow = 0n
}

export async function deleteChannel(
  stage: Stage,
  world: World,
  guild: ModelGuild,
  channel: ModelChannel,
): Promise<void> {
  if (!(await asOwner(stage, world, guild, 'DELETE', `/v1/channels/${channel.id}`))) return
  guild.channels = guild.channels
    ?.filter(({ id }) => id !== channel.id)
    .map((one) => (one.parentId === channel.id ? { ...one, parentId: null } : one))
  for (const key of ['system_channel_id', 'afk_channel_id'] as const)
    if (guild.settings[key] === channel.id) guild.settings[key] = null
  for (const [id, { channelId }] of guild.messages) if (channelId === channel.id) guild.messages.delete(id)
}

export async function ban(stage: Stage, world: World, guild: ModelGuild, { person }: ModelCaller): Promise<void> {
  if (!person || person.id === guild.ownerId) return
  if (!(await asOwner(stage, world, guild, 'PUT', `/v1/guilds/${guild.id}/bans/${person.id}`, {}))) return
  guild.bans.add(person.id)
  guild.members.delete(person.id)
}

export async function unban(stage: Stage, world: World, guild: ModelGuild, { person }: ModelCaller): Promise<void> {
  if (!person || !guild.bans.has(person.id)) return
  if (await asOwner(stage, world, guild, 'DELETE', `/v1/guilds/${guild.id}/bans/${person.id}`))
    guild.bans.delete(person.id)
}

/** Bots join by installation, not by invites. */
export async function addBot(stage: Stage, world: World, guild: ModelGuild, bot: ModelCaller): Promise<void> {
  const id = bot.person?.id ?? ''
  if (guild.members.has(id) || guild.bans.has(id) || guild.members.size >= limits.max_guild_members) return
  if (world.guildsOf(id).length >= limits.max_guilds) return
  const body = { client_id: id, scope: 'bot', redirect_uri: null, guild_id: guild.id }
  if (!(await asOwner(stage, world, guild, 'POST', '/v1/oauth2/authorize/consent', body))) return
  guild.members.set(id, { roles: new Set() })
}

/** Sets features as an administrator does. */
export async function setFeatures({ guildhall }: Stage, guild: ModelGuild, features: readonly string[]): Promise<void> {
  const known = guildFeatures.filter((feature): feature is GuildFeature => features.includes(feature))
  expect(known).toHaveLength(features.length)
  const context = testContext()
  const { ports, readModels } = guildhall
  await ports.aggregates.guild.execute(guildId(snowflake(guild.id)), { type: 'SetFeatures', features: known }, context)
  await readModels.reached(context.written)
  guild.features.clear()
  for (const feature of features) guild.features.add(feature)
}

export async function setOperations({ guildhall }: Stage, guild: ModelGuild, mask: number): Promise<void> {
  await settle(guildhall, guild, { disabledOperations: mask })
  guild.settings.disabled_operations = mask
}

export async function setMfaLevel({ guildhall }: Stage, guild: ModelGuild, level: 0 | 1): Promise<void> {
  await settle(guildhall, guild, { mfaLevel: level })
  guild.settings.mfa_level = level
}

/** Writes a message if the rules of messages let the caller write; whether they do does not matter here. */
export async function say(
  { send }: Stage,
  guild: ModelGuild,
  channel: ModelChannel,
  caller: ModelCaller,
): Promise<void> {
  const { person } = caller
  if (!person || channel.type !== 0 || !(maskOf(guild, person.id, channel) & bits.SEND_MESSAGES)) return
  const answer = await send(caller, {
    method: 'POST',
    path: `/v1/channels/${channel.id}/messages`,
    body: { content: 'Hello' },
  })
  if (answer.status !== 200) return
  const { id } = answer.body as { readonly id: string }
  guild.messages.set(id, { channelId: channel.id, author: person.id })
}
