import type { Channel } from '../../../domain/guild/channel.ts'
import { channelTypes, defaultThreads, defaultVoice } from '../../../domain/guild/channel.ts'
import type {
  ChannelCommand,
  ChannelMove,
  ChannelWishes,
  CreateChannel,
} from '../../../domain/guild/channel-commands.ts'
import { plainChannel } from '../../../domain/guild/layout.ts'
import type { GuildEvent } from '../../../domain/guild/events.ts'
import type { GuildFeature } from '../../../domain/guild/features.ts'
import { guild } from '../../../domain/guild/guild.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import type { ChannelId } from '../../../domain/ids/ids.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { permissionBits } from '../../../domain/permissions/permission-bits.ts'
import { ada, channel, everyone, grace, home, plainRole, role, start } from '../../../domain/testing/people.ts'

/** What the tests about channels use: Ada's guild with five channels, and Grace, who manages channels with a role. */

export const { CREATE_INSTANT_INVITE, MANAGE_CHANNELS, MANAGE_ROLES, VIEW_CHANNEL, SEND_MESSAGES, MANAGE_THREADS } =
  permissionBits

const plain = (number: number, type: Channel['type'], position: number, parentId: ChannelId | null): Channel => ({
  ...plainChannel,
  id: channel(number),
  type,
  name: `channel-${number}`,
  position,
  parentId,
  voice: type === channelTypes.voice ? defaultVoice : null,
  threads: type === channelTypes.text ? defaultThreads : null,
})

export const category = plain(1, channelTypes.category, 1, null)
export const text = plain(2, channelTypes.text, 2, category.id)
export const voice = plain(3, channelTypes.voice, 3, category.id)
export const other = plain(4, channelTypes.category, 4, null)
export const second = plain(5, channelTypes.text, 5, other.id)

export const managing = MANAGE_CHANNELS | VIEW_CHANNEL | CREATE_INSTANT_INVITE

export const created = (made: Channel, founding = false): GuildEvent => ({
  type: 'ChannelCreated',
  data: { guildId: home, channel: made, founding },
})

export const founded: readonly GuildEvent[] = [
  { type: 'GuildCreated', data: { guildId: home, name: 'Home', ownerId: ada, features: [], createdAt: start } },
  ...[
    { ...plainRole, id: everyone, name: '@everyone', position: 0, permissions: VIEW_CHANNEL.toString() },
    { ...plainRole, id: role(1), permissions: managing.toString() },
    { ...plainRole, id: role(2), permissions: (managing | MANAGE_ROLES).toString() },
  ].map((made): GuildEvent => ({ type: 'RoleCreated', data: { guildId: home, role: made } })),
  ...[category, text, voice, other, second].map((made) => created(made)),
]

export const withFeatures = (...features: readonly GuildFeature[]): GuildEvent => ({
  type: 'GuildFeaturesChanged',
  data: { guildId: home, features },
})
export const settings = (changed: Partial<Guild['settings']>): GuildEvent => ({
  type: 'GuildSettingsChanged',
  data: { guildId: home, settings: changed },
})

export const owner = { accountId: ada, roles: [], hasAuthenticator: false }
export const manager = { accountId: grace, roles: [role(1)], hasAuthenticator: false }
/** Manages roles too. */
export const guardian = { accountId: grace, roles: [role(2)], hasAuthenticator: false }
export const stranger = { accountId: grace, roles: [], hasAuthenticator: true }

/** The client declares to know threads. */
const viewer = { threadAccess: true }
export const limits = { channels_max: 500, channelsPerCategory_max: 50 }

export const create = (wishes: ChannelWishes = {}, by = manager, max = limits): CreateChannel => ({
  type: 'CreateChannel',
  by,
  viewer,
  channelId: channel(9),
  limits: max,
  undeclaredBits: 0n,
  wishes: { type: channelTypes.text, name: 'news', ...wishes } as CreateChannel['wishes'],
})
export const change = (id: ChannelId, wishes: ChannelWishes, by = manager, undeclaredBits = 0n): ChannelCommand => ({
  type: 'ChangeChannel',
  by,
  viewer,
  channelId: id,
  wishes,
  limits,
  undeclaredBits,
})
export const remove = (id: ChannelId, by = manager): ChannelCommand => ({ type: 'DeleteChannel', by, channelId: id })
export const move = (id: ChannelId, wishes: Omit<ChannelMove, 'channelId' | 'lockPermissions'>, lock = false) => ({
  channelId: id,
  lockPermissions: lock,
  ...wishes,
})
export const reorder = (moves: readonly ChannelMove[], by = manager, max = limits): ChannelCommand => ({
  type: 'ReorderChannels',
  by,
  viewer,
  moves,
  limits: max,
})

/** The events of an accepted command, and the channels after it. */
export function outcomeOf(history: readonly GuildEvent[], command: ChannelCommand) {
  const before = fold(guild, history)
  const decision = guild.decide(before, command)
  if (decision.outcome === 'refused') throw new Error(`Refused with ${decision.refusal.code}`)
  const state = fold(guild, decision.events, before)
  if (state.status !== 'active') throw new Error('The guild is gone')
  return { events: decision.events, channels: state.channels, find: (id: ChannelId) => find(state.channels, id) }
}

function find(channels: readonly Channel[], id: ChannelId): Channel {
  const found = channels.find((each) => each.id === id)
  if (!found) throw new Error(`There is no channel ${id}`)
  return found
}
