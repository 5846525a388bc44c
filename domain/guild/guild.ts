import { everyoneRoleId } from '../ids/ids.js'
import { accept, refuse, refuseWith, type Decider, type Decision } from '../kernel/decider.js'
import { newGuildEveryonePermissions } from '../permissions/permission-bits.js'
import { channelTypes, defaultVoice, type Channel } from './channel.js'
import type {
  ChangeSettings,
  CreateGuild,
  CreateRole,
  DefaultChannelIds,
  DeleteGuild,
  GuildCommand,
  SetFeatures,
} from './commands.js'
import type { GuildEvent } from './events.js'
import { initialSettings, type Guild, type GuildState, type Role } from './state.js'

/** A community: its settings, features, roles and channels, who owns it, and whether it is still there. */
export const guild: Decider<GuildState, GuildCommand, GuildEvent> = {
  category: 'guild',
  initial: { status: 'absent' },
  decide,
  evolve,
}

function decide(state: GuildState, command: GuildCommand): Decision<GuildEvent> {
  switch (command.type) {
    case 'CreateGuild':
      return create(state, command)
    case 'DeleteGuild':
      return remove(state, command)
    case 'ChangeSettings':
      return changeSettings(state, command)
    case 'SetFeatures':
      return setFeatures(state, command)
    case 'CreateRole':
      return createRole(state, command)
  }
}

/** A guild with everyone's role and the default layout; general becomes the system channel (contract part 1, Create guild). */
function create(state: GuildState, command: CreateGuild): Decision<GuildEvent> {
  if (state.status !== 'absent') return isTheSame(state, command) ? accept() : refuse('CONFLICT')
  const { guildId, name, ownerId, now, channelIds } = command
  const features = eachOnce(command.features)
  return accept<GuildEvent>(
    { type: 'GuildCreated', data: { guildId, name, ownerId, features, createdAt: now } },
    { type: 'RoleCreated', data: { guildId, role: everyoneRole(command) } },
    ...defaultChannels(channelIds).map((channel): GuildEvent => ({
      type: 'ChannelCreated',
      data: { guildId, channel },
    })),
    { type: 'GuildSettingsChanged', data: { guildId, settings: { systemChannelId: channelIds.text } } },
  )
}

function isTheSame(state: GuildState, { guildId, ownerId, now }: CreateGuild): boolean {
  return state.status === 'active' && state.id === guildId && state.ownerId === ownerId && state.createdAt === now
}

/** The owner's alone (contract part 1, Delete guild). */
function remove(state: GuildState, { by }: DeleteGuild): Decision<GuildEvent> {
  if (state.status !== 'active') return refuse('UNKNOWN_GUILD')
  if (by !== state.ownerId) return refuse('MISSING_PERMISSIONS')
  return accept({ type: 'GuildDeleted', data: { guildId: state.id, ownerId: state.ownerId } })
}

function changeSettings(state: GuildState, { settings }: ChangeSettings): Decision<GuildEvent> {
  if (state.status !== 'active') return refuse('UNKNOWN_GUILD')
  const changed = differing(settings, state.settings)
  if (Object.keys(changed).length === 0) return accept()
  return accept({ type: 'GuildSettingsChanged', data: { guildId: state.id, settings: changed } })
}

/** Features are a set: each at most once, in no particular order (contract part 1, Guild object). */
function setFeatures(state: GuildState, { features }: SetFeatures): Decision<GuildEvent> {
  if (state.status !== 'active') return refuse('UNKNOWN_GUILD')
  const wanted = eachOnce(features)
  const isTheSameSet =
    wanted.length === state.features.length && wanted.every((feature) => state.features.includes(feature))
  if (isTheSameSet) return accept()
  return accept({ type: 'GuildFeaturesChanged', data: { guildId: state.id, features: wanted } })
}

/** A role that is there already is not made a second time. Refused with MAX_GUILD_ROLES (reference gateway 5.1). */
function createRole(state: GuildState, { role, roles_max }: CreateRole): Decision<GuildEvent> {
  if (state.status !== 'active') return refuse('UNKNOWN_GUILD')
  if (state.roles.some(({ id }) => id === role.id)) return accept()
  if (state.roles.length >= roles_max) return refuseWith('MAX_GUILD_ROLES', { max_guild_roles: roles_max })
  return accept({ type: 'RoleCreated', data: { guildId: state.id, role } })
}

function evolve(state: GuildState, event: GuildEvent): GuildState {
  switch (event.type) {
    case 'GuildCreated': {
      const { guildId, name, ownerId, features, createdAt } = event.data
      const founded = { id: guildId, name, ownerId, features, settings: initialSettings, createdAt }
      return { status: 'active', ...founded, roles: [], channels: [] }
    }
    case 'RoleCreated':
      return whileActive(state, (record) => ({ ...record, roles: [...record.roles, event.data.role] }))
    case 'ChannelCreated':
      return whileActive(state, (record) => ({ ...record, channels: [...record.channels, event.data.channel] }))
    case 'GuildSettingsChanged':
      return whileActive(state, (record) => ({ ...record, settings: { ...record.settings, ...event.data.settings } }))
    case 'GuildFeaturesChanged':
      return whileActive(state, (record) => ({ ...record, features: event.data.features }))
    case 'GuildDeleted':
      return { status: 'deleted', id: event.data.guildId, ownerId: event.data.ownerId }
  }
}

function whileActive(state: GuildState, next: (record: Guild) => Guild): GuildState {
  return state.status === 'active' ? { status: 'active', ...next(state) } : state
}

function everyoneRole({ guildId }: CreateGuild): Role {
  return {
    id: everyoneRoleId(guildId),
    name: '@everyone',
    permissions: newGuildEveryonePermissions.toString(),
    position: 0,
    color: 0,
    hoist: false,
    mentionable: false,
    unicodeEmoji: null,
  }
}

/** The four channels of a guild without a template, in their order (reference gateway 5.14). */
function defaultChannels(ids: DefaultChannelIds): readonly Channel[] {
  const { category, text, voice } = channelTypes
  const plain = { overwrites: [], topic: null, nsfw: false, rateLimitPerUser: 0, voice: null }
  return [
    { ...plain, id: ids.textCategory, type: category, name: 'Text Channels', position: 0, parentId: null },
    { ...plain, id: ids.voiceCategory, type: category, name: 'Voice Channels', position: 1, parentId: null },
    { ...plain, id: ids.text, type: text, name: 'general', position: 0, parentId: ids.textCategory },
    {
      ...plain,
      id: ids.voice,
      type: voice,
      name: 'General',
      position: 0,
      parentId: ids.voiceCategory,
      voice: defaultVoice,
    },
  ]
}

/** The members of `wanted` whose value is another one now. */
function differing<Values extends object>(wanted: Partial<Values>, now: Values): Partial<Values> {
  const changed = { ...wanted }
  for (const name in changed) {
    if (changed[name] === now[name]) delete changed[name]
  }
  return changed
}

function eachOnce<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)]
}
