import { expect } from 'vitest'
import { isListener, ofOwnGuild, toGuild } from '../news/told.ts'
import type { ModelCaller } from '../support/cast.ts'
import { done, refuse, refuseFields, type Done, type Play } from '../support/outcomes.ts'
import { authenticated, guildFor, requireSudo, type Proof } from '../support/rules.ts'
import {
  expectNone,
  fullGuild,
  guildObject,
  listedGuild,
  onlineIn,
  ordered,
  seesThreads,
  type Body,
} from '../support/wire.ts'
import { blockedWord, limits, type ModelGuild, type World } from '../support/world.ts'
import { layoutOf, templateBody, type Template } from '../support/templates.ts'

/** The operations on whole guilds, except Modify guild. */

export interface Creation {
  readonly name: string
  readonly isEmpty: boolean
  readonly template: Template | null
}

export function createGuild(world: World, caller: ModelCaller, { name, isEmpty, template }: Creation): Play {
  const body = {
    name,
    ...(isEmpty ? { empty_features: true } : {}),
    ...(template ? { template: templateBody(template) } : {}),
  }
  return {
    method: 'POST',
    path: '/v1/guilds',
    body,
    judge() {
      const person = authenticated(caller)
      const trimmed = name.trim()
      if (trimmed.length < 1 || trimmed.length > 100) refuseFields(['name STRING_LENGTH_INVALID'])
      if (name.includes(blockedWord)) refuse('CONTENT_BLOCKED')
      if (person.isBot) refuse('BOTS_CANNOT_CREATE_GUILDS')
      if (!person.isClaimed) refuse('UNCLAIMED_ACCOUNT_CANNOT_CREATE_GUILDS')
      const isFull = world.guildsOf(person.id).length >= limits.max_guilds
      // A rejected template is a fault of the body, which is checked before the operation (decision 42).
      if (template?.fault) refuse('GUILD_TEMPLATE_INVALID')
      if (isFull) refuse('MAX_GUILDS')
      const made = done(200, (answer) => {
        const guild = founded(answer as Body, trimmed, person.id, { isEmpty, template })
        world.guilds.push(guild)
        expectNone(answer, 'roles', 'channels', 'permissions', 'member_count', 'approximate_member_count')
        return guildObject(guild)
      })
      const tells = () =>
        isListener(world, person.id) ? ofOwnGuild('GUILD_CREATE', { id: world.guilds.at(-1)?.id }) : []
      return { ...made, tells }
    },
  }
}

function founded(
  answer: Body,
  name: string,
  ownerId: string,
  { isEmpty, template }: Pick<Creation, 'isEmpty' | 'template'>,
): ModelGuild {
  const id = String(answer['id'])
  const layout = layoutOf(template)
  return {
    id,
    ownerId,
    createdAt_ms: Number((BigInt(id) >> 22n) + 1_420_070_400_000n),
    settings: {
      name,
      system_channel_id: String(answer['system_channel_id']),
      system_channel_flags: 0,
      afk_channel_id: null,
      afk_timeout: 300,
      default_message_notifications: 0,
      verification_level: Math.min(template?.verification ?? 0, 3),
      mfa_level: 0,
      nsfw: false,
      content_warning_level: 0,
      content_warning_text: null,
      explicit_content_filter: 0,
      splash_card_alignment: 0,
      disabled_operations: 0,
      message_history_cutoff: answer['message_history_cutoff'] as string | null,
    },
    features: new Set(isEmpty ? [] : ['ANIMATED_ICON', 'ANIMATED_BANNER', 'BANNER', 'INVITE_SPLASH']),
    roles: new Map([[id, layout.everyone]]),
    channels: undefined,
    layout,
    members: new Map([[ownerId, { roles: new Set() }]]),
    bans: new Set(),
    customCode: null,
    customUses: 0,
    lastEntry: '0',
    messages: new Map(),
  }
}

export interface Page {
  readonly before: string | undefined
  readonly after: string | undefined
  readonly limit: number | undefined
  readonly withCounts: boolean
  readonly threads: boolean
}

export function listGuilds(world: World, caller: ModelCaller, page: Page): Play {
  const { before, after, limit, withCounts, threads } = page
  const wishes = { before, after, limit, with_counts: withCounts ? true : undefined }
  const query = Object.entries(wishes).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${String(value)}`],
  )
  return {
    method: 'GET',
    path: `/v1/users/@me/guilds?${query.join('&')}`,
    threads,
    judge() {
      const person = authenticated(caller, { scope: 'guilds' })
      if (limit !== undefined && (limit < 1 || limit > 200)) refuseFields(['limit VALUE_MUST_BE_INTEGER_IN_RANGE'])
      return done(200, (answer) => {
        const sees = seesThreads(caller, threads)
        for (const item of answer as readonly unknown[]) {
          expectNone(item, 'roles', 'channels', 'member_count', ...(sees ? [] : ['threads_active']))
          if (!withCounts) expectNone(item, 'approximate_member_count', 'approximate_presence_count')
        }
        return pageOf(world.guildsOf(person.id), page).map((guild) => ({
          ...listedGuild(guild, person, sees),
          ...(sees ? { threads_active: true } : {}),
          ...(withCounts
            ? { approximate_member_count: guild.members.size, approximate_presence_count: onlineIn(world, guild) }
            : {}),
        }))
      })
    },
  }
}

/** `after` wins, and a cursor is ignored if it names no guild of the caller. */
function pageOf(guilds: readonly ModelGuild[], { before, after, limit = 200 }: Page): readonly ModelGuild[] {
  const place = guilds.findIndex(({ id }) => id === (after ?? before))
  if (place === -1) return guilds.slice(0, limit)
  return after === undefined ? guilds.slice(0, place).slice(-limit) : guilds.slice(place + 1).slice(0, limit)
}

export function getGuild(world: World, caller: ModelCaller, id: string, threads: boolean): Play {
  return {
    method: 'GET',
    path: `/v1/guilds/${id}`,
    threads,
    judge() {
      const person = authenticated(caller, { scope: 'guilds' })
      const guild = guildFor(world, person, id)
      return done(200, (answer) => {
        learnLayout(world, guild, ordered(answer) as LearntGuild)
        expectNone(answer, 'permissions', 'approximate_member_count', 'threads_active')
        return fullGuild(world, guild, person, seesThreads(caller, threads))
      })
    },
  }
}

interface LearntGuild {
  readonly system_channel_id: string
  readonly roles: readonly { readonly id: string; readonly name: string; readonly permissions: string }[]
  readonly channels: readonly {
    readonly id: string
    readonly name: string
    readonly type: number
    readonly parent_id: string | null
    readonly position: number
  }[]
}

/** Learns the ids of a new guild's parts from the first look at it, which is its owner's. */
function learnLayout(world: World, guild: ModelGuild, told: LearntGuild): void {
  if (guild.channels) return
  const nameOf = (id: string | null) => told.channels.find((channel) => channel.id === id)?.name ?? null
  const channels = told.channels.map(({ id, name, type, parent_id: parentId, position }) => {
    world.channelIds.push(id)
    return { id, name, type, parentId, position, allow: 0n, deny: 0n }
  })
  const told_ = channels.map(({ name, type, parentId }) => ({ name, type, parent: nameOf(parentId) }))
  expect(new Set(told_.map((channel) => JSON.stringify(channel)))).toStrictEqual(
    new Set(guild.layout.channels.map((channel) => JSON.stringify(channel))),
  )
  expect(nameOf(told.system_channel_id)).toBe(guild.layout.system)
  guild.channels = channels
  for (const { name, permissions } of guild.layout.roles) {
    const role = told.roles.find((one) => one.name === name)
    expect(role).toMatchObject({ permissions: permissions.toString() })
    if (role) guild.roles.set(role.id, permissions)
  }
}

/** Sudo mode is checked before the guild. */
export function deleteGuild(world: World, caller: ModelCaller, id: string, proof: Proof): Play {
  return {
    method: 'POST',
    path: `/v1/guilds/${id}/delete`,
    body: {},
    proof,
    judge() {
      const person = authenticated(caller)
      const echoesProof = requireSudo(person, proof)
      const guild = guildFor(world, person, id)
      if (guild.ownerId !== person.id) refuse('MISSING_PERMISSIONS')
      const tells = () =>
        [...guild.members.keys()].some((member) => isListener(world, member))
          ? ofOwnGuild('GUILD_DELETE', { id, guild_id: id })
          : []
      return { ...done(204, () => world.removeGuild(id)), echoesProof, tells }
    },
  }
}

export function leaveGuild(
  world: World,
  caller: ModelCaller,
  { id, deletesMessages, proof }: { readonly id: string; readonly deletesMessages: boolean; readonly proof: Proof },
): Play {
  return {
    method: 'DELETE',
    path: `/v1/users/@me/guilds/${id}${deletesMessages ? '?delete_messages=true' : ''}`,
    body: {},
    proof,
    judge(): Done {
      const person = authenticated(caller)
      const guild = world.guild(id)
      if (deletesMessages && !guild) return refuse('UNKNOWN_GUILD')
      if (!guild?.members.has(person.id)) return refuse(deletesMessages ? 'MISSING_PERMISSIONS' : 'UNKNOWN_MEMBER')
      // The refusals come in this order (decision 42).
      if (guild.ownerId === person.id) refuseFields(['guild_id CANNOT_LEAVE_GUILD_AS_OWNER'])
      const echoesProof = deletesMessages && requireSudo(person, proof)
      const left = done(204, () => {
        guild.members.delete(person.id)
        if (deletesMessages) removeMessagesOf(guild, person.id)
      })
      const removed = { t: 'GUILD_MEMBER_REMOVE', d: { guild_id: id, user: { id: person.id } } }
      const tells = () =>
        isListener(world, person.id) ? ofOwnGuild('GUILD_DELETE', { id }) : toGuild(world, guild, removed)
      return { ...left, echoesProof, touches: id, tells }
    },
  }
}

/** An unavailable guild still lets its members delete their own messages. */
export function bulkDeleteMine(world: World, caller: ModelCaller, id: string, proof: Proof): Play {
  return {
    method: 'POST',
    path: `/v1/users/@me/guilds/${id}/messages/bulk-delete-mine`,
    body: {},
    proof,
    judge(): Done {
      const person = authenticated(caller)
      const echoesProof = requireSudo(person, proof)
      const guild = world.guild(id)
      if (!guild) return refuse('UNKNOWN_GUILD')
      if (!guild.members.has(person.id)) refuse('MISSING_PERMISSIONS')
      return { ...done(202, () => removeMessagesOf(guild, person.id)), echoesProof, touches: id }
    },
  }
}

function removeMessagesOf(guild: ModelGuild, author: string): void {
  for (const [id, message] of guild.messages) if (message.author === author) guild.messages.delete(id)
}
