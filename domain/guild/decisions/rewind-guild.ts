import { everyoneRoleId } from '../../ids/ids.ts'
import { accept, refuse, type Decision } from '../../kernel/decider.ts'
import { jsonBytes } from '../../kernel/json-bytes.ts'
import { sameJson } from '../../kernel/same-json.ts'
import { channelTypes, type Channel } from '../channel.ts'
import type { GuildEvent, Modifiable } from '../events.ts'
import { rewoundSettings, type GuildPast, type RewindGuild } from '../rewind.ts'
import type { RolePositions } from '../role-events.ts'
import type { Guild, GuildState } from '../state.ts'
import { deletionOf } from './channels/delete-channel.ts'
import { sameOverwrites } from './channels/written-overwrites.ts'
import { namesNormalised } from './settings.ts'

type Evolve = (state: GuildState, event: GuildEvent) => GuildState
type Events = readonly GuildEvent[]
/** A part of a rewind: the events that are still to follow. */
type Part = (guild: Guild, to: GuildPast) => Events

/**
 * What stands no more is deleted first, so that the guild is never fuller than it was or is, and what others name comes back before
 * them. So the guild is whole after each event (rules/administration#rewinds).
 */
const parts: readonly Part[] = [
  rolesGone,
  channelsGone,
  featuresBack,
  rolesBack,
  rolesChanged,
  rolePositions,
  channelsBack,
  channelsChanged,
  channelPositions,
  overwritesBack,
  settingsBack,
]

/** The first events of those that bring back what a guild was. Refuses with UNKNOWN_GUILD for a guild that is not active. */
export function rewind(state: GuildState, command: RewindGuild, evolve: Evolve): Decision<GuildEvent> {
  if (state.status !== 'active') return refuse('UNKNOWN_GUILD')
  const { to, events_max, bytes_max } = command
  const events: GuildEvent[] = []
  let next: GuildState = state
  let bytes = 0
  for (const part of parts) {
    if (next.status !== 'active') break
    for (const event of part(next, to)) {
      bytes += jsonBytes(event.data)
      if (events.length === events_max || (events.length > 0 && bytes > bytes_max)) return accept(...events)
      events.push(event)
      next = evolve(next, event)
    }
  }
  return accept(...events)
}

function rolesGone({ id: guildId, roles }: Guild, to: GuildPast): Events {
  const stood = byId(to.roles)
  return roles
    .filter(({ id }) => !stood.has(id) && id !== everyoneRoleId(guildId))
    .map((role) => ({ type: 'RoleDeleted', data: { guildId, role } }))
}

/** Channels before categories, so that only those that stay move to the root; no setting names a channel that is gone. */
function channelsGone(guild: Guild, to: GuildPast): Events {
  const stood = byId(to.channels)
  const staying = guild.channels.filter(({ id }) => stood.has(id))
  return categoriesFirst(guild.channels.filter(({ id }) => !stood.has(id)))
    .toReversed()
    .flatMap((channel) => deletionOf({ ...guild, channels: [...staying, channel] }, channel).toReversed())
}

/** Before the channels, because they decide which names channels can have. */
function featuresBack(guild: Guild, to: GuildPast): Events {
  const { features } = rewoundSettings(guild, to)
  const isTheSame = features.length === guild.features.length && features.every((one) => guild.features.includes(one))
  if (isTheSame) return []
  const modified: GuildEvent = {
    type: 'GuildModified',
    data: { guildId: guild.id, before: { features: guild.features }, after: { features } },
  }
  return [modified, ...namesNormalised(guild, features)]
}

function rolesBack({ id: guildId, roles }: Guild, to: GuildPast): Events {
  const standing = byId(roles)
  return to.roles
    .filter(({ id }) => !standing.has(id))
    .map((role) => ({ type: 'RoleCreated', data: { guildId, role } }))
}

function rolesChanged({ id: guildId, roles }: Guild, to: GuildPast): Events {
  const standing = byId(roles)
  return to.roles.flatMap(({ id, position: _, hoistPosition: __, unicodeEmoji: ___, ...wanted }): Events => {
    const role = standing.get(id)
    if (!role) return []
    const { before, after } = changes(wanted, role)
    return isEmpty(after) ? [] : [{ type: 'RoleChanged', data: { guildId, roleId: id, before, after } }]
  })
}

function rolePositions({ id: guildId, roles }: Guild, to: GuildPast): Events {
  const standing = byId(roles)
  const moved = to.roles.flatMap(({ id, position, hoistPosition }) => {
    const role = standing.get(id)
    if (!role) return []
    const { before, after } = changes<RolePositions>({ position, hoistPosition }, role)
    return isEmpty(after) ? [] : [{ roleId: id, moved: true, before, after }]
  })
  return moved.length === 0 ? [] : [{ type: 'RolesReordered', data: { guildId, roles: moved } }]
}

function channelsBack({ id: guildId, channels }: Guild, to: GuildPast): Events {
  const standing = byId(channels)
  return categoriesFirst(to.channels.filter(({ id }) => !standing.has(id))).map((channel) => ({
    type: 'ChannelCreated',
    data: { guildId, channel, founding: false },
  }))
}

function channelsChanged({ id: guildId, channels }: Guild, to: GuildPast): Events {
  const standing = byId(channels)
  return to.channels.flatMap(({ id, position: _, parentId: __, overwrites: ___, ...wanted }): Events => {
    const channel = standing.get(id)
    if (!channel) return []
    const { before, after } = changes(wanted, channel)
    const data = { guildId, channelId: id, channelType: wanted.type, before, after }
    return isEmpty(after) ? [] : [{ type: 'ChannelChanged', data }]
  })
}

function channelPositions({ id: guildId, channels }: Guild, to: GuildPast): Events {
  const stood = byId(to.channels)
  const placed = channels.flatMap((channel) => {
    const wanted = stood.get(channel.id)
    return wanted ? [{ channel, wanted }] : []
  })
  const positions = placed
    .filter(({ channel, wanted }) => channel.position !== wanted.position)
    .map(({ wanted: { id: channelId, position } }) => ({ channelId, position }))
  const moved = placed
    .filter(({ channel, wanted }) => channel.parentId !== wanted.parentId)
    .map(({ wanted: { id: channelId, parentId } }) => ({ channelId, parentId, overwrites: null }))
  if (positions.length === 0 && moved.length === 0) return []
  return [{ type: 'ChannelsReordered', data: { guildId, positions, moved } }]
}

function overwritesBack({ id: guildId, channels }: Guild, to: GuildPast): Events {
  const stood = byId(to.channels)
  return channels.flatMap(({ id: channelId, overwrites: before }): Events => {
    const after = stood.get(channelId)?.overwrites ?? before
    if (sameOverwrites(before, after)) return []
    return [{ type: 'ChannelOverwritesChanged', data: { guildId, channelId, before, after, synced: [] } }]
  })
}

/** Last, because settings name channels. */
function settingsBack(guild: Guild, to: GuildPast): Events {
  const { name, settings } = rewoundSettings(guild, to)
  const { before, after } = changes<Omit<Modifiable, 'features'>>(
    { name, ...settings },
    { name: guild.name, ...guild.settings },
  )
  return isEmpty(after) ? [] : [{ type: 'GuildModified', data: { guildId: guild.id, before, after } }]
}

/** The wanted values that differ, before and after. */
function changes<Values extends object>(
  wanted: Partial<Values>,
  now: Values,
): { readonly before: Partial<Values>; readonly after: Partial<Values> } {
  const before = { ...wanted }
  const after = { ...wanted }
  for (const name in wanted) {
    if (sameJson(wanted[name], now[name])) {
      delete before[name]
      delete after[name]
    } else before[name] = now[name]
  }
  return { before, after }
}

const isEmpty = (values: object): boolean => Object.keys(values).length === 0

const byId = <Thing extends { readonly id: string }>(things: readonly Thing[]): ReadonlyMap<string, Thing> =>
  new Map(things.map((thing) => [thing.id, thing]))

const isCategory = ({ type }: Channel): boolean => type === channelTypes.category

const categoriesFirst = (channels: readonly Channel[]): readonly Channel[] =>
  channels.toSorted((one, other) => Number(isCategory(other)) - Number(isCategory(one)))
