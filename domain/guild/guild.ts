import { lacking } from '../permissions/authority.ts'
import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import type { CreateGuild, DeleteGuild, GuildCommand, TransferOwnership } from './commands.ts'
import { decideChannels } from './decisions/channels.ts'
import { evolveChannels } from './decisions/channels/evolve-channels.ts'
import { decideRoles, evolveRoles } from './decisions/roles.ts'
import { modified, modify } from './decisions/modify-guild.ts'
import { rewind } from './decisions/rewind-guild.ts'
import { changeSettings, setFeatures } from './decisions/settings.ts'
import { decideVanity, heldCode } from './decisions/vanity.ts'
import { differing, eachOnce } from './decisions/values.ts'
import { guildEvents, type GuildEvent } from './events.ts'
import { withinSize } from './guild-size.ts'
import type { RewindGuild } from './rewind.ts'
import { initialSettings, type CustomCode, type Guild, type GuildState } from './state.ts'

/** A community: its settings, features, roles, channels and owner, and whether it still exists. */
export const guild = aggregate({
  category: 'guild',
  identifiedBy: 'the guild id',
  guards:
    'settings, features, roles, channels and their overwrites, ownership, the custom code and deletion of a guild',
  stateVersion: 2,
  events: guildEvents,
  initial: { status: 'absent' },
  decide,
  evolve,
})

function decide(state: GuildState, command: GuildCommand): Decision<GuildEvent> {
  // A rewind brings back a size that the guild had.
  if (command.type === 'RewindGuild') return rewind(state, command, evolve)
  return withinSize(state, decided(state, command), evolve)
}

function decided(state: GuildState, command: Exclude<GuildCommand, RewindGuild>): Decision<GuildEvent> {
  switch (command.type) {
    case 'CreateGuild':
      return create(state, command)
    case 'DeleteGuild':
      return remove(state, command)
    case 'ChangeSettings':
      return changeSettings(state, command)
    case 'ModifyGuild':
      return modify(state, command)
    case 'SetFeatures':
      return setFeatures(state, command)
    case 'SetVanityCode':
    case 'AdoptVanityClaim':
      return decideVanity(state, command)
    case 'TransferOwnership':
      return transfer(state, command)
    case 'AddBotRole':
    case 'CreateRole':
    case 'ChangeRole':
    case 'ReorderRoles':
    case 'ReorderHoistedRoles':
    case 'DeleteRole':
      return decideRoles(state, command)
    case 'CreateChannel':
    case 'ChangeChannel':
    case 'DeleteChannel':
    case 'ReorderChannels':
    case 'SetOverwrite':
    case 'RemoveOverwrite':
    case 'NoteMessagesRemoved':
      return decideChannels(state, command)
  }
}

/** Creates a guild with its layout. The same command again changes nothing, another one is refused with CONFLICT. */
function create(state: GuildState, command: CreateGuild): Decision<GuildEvent> {
  if (state.status !== 'absent') return isTheSame(state, command) ? accept() : refuse('CONFLICT')
  const { guildId, name, ownerId, now, layout } = command
  const features = eachOnce(command.features)
  return accept<GuildEvent>(
    { type: 'GuildCreated', data: { guildId, name, ownerId, features, createdAt: now } },
    ...layout.roles.map((role): GuildEvent => ({ type: 'RoleCreated', data: { guildId, role, founding: true } })),
    ...layout.channels.map((channel): GuildEvent => ({
      type: 'ChannelCreated',
      data: { guildId, channel, founding: true },
    })),
    { type: 'GuildSettingsChanged', data: { guildId, settings: differing(layout.settings, initialSettings) } },
  )
}

function isTheSame(state: GuildState, { guildId, ownerId, now }: CreateGuild): boolean {
  return state.status === 'active' && state.id === guildId && state.ownerId === ownerId && state.createdAt === now
}

/** Of its members only the owner may. The guild and all that is in its stream are gone with the event (rules/guilds#delete). */
function remove(state: GuildState, { by }: DeleteGuild): Decision<GuildEvent> {
  if (state.status !== 'active') return refuse('UNKNOWN_GUILD')
  if (by !== 'instance' && by !== state.ownerId) return refuse(lacking('ownership'))
  const { id: guildId, ownerId, channels } = state
  const customCode = heldCode(state)
  const data = { guildId, ownerId, channelIds: channels.map(({ id }) => id), ...(customCode && { customCode }) }
  return accept({ type: 'GuildDeleted', data })
}

/** Of its members only the owner may; a transfer to the owner changes nothing (rules/guilds#transfer). */
function transfer(state: GuildState, { by, to }: TransferOwnership): Decision<GuildEvent> {
  if (state.status !== 'active') return refuse('UNKNOWN_GUILD')
  const { id: guildId, ownerId: from } = state
  if (by !== 'instance' && by !== from) return refuse(lacking('ownership'))
  if (to === from) return accept()
  return accept({ type: 'OwnershipTransferred', data: { guildId, from, to } })
}

function evolve(state: GuildState, event: GuildEvent): GuildState {
  switch (event.type) {
    case 'GuildCreated': {
      const { guildId, name, ownerId, features, createdAt } = event.data
      const founded = { id: guildId, name, ownerId, features, settings: initialSettings, createdAt }
      return { status: 'active', ...founded, roles: [], channels: [] }
    }
    case 'RoleCreated':
    case 'RoleChanged':
    case 'RolesReordered':
    case 'RoleDeleted':
      return whileActive(state, (record) => evolveRoles(record, event))
    case 'ChannelCreated':
    case 'ChannelChanged':
    case 'ChannelOverwritesChanged':
    case 'ChannelMoved':
    case 'ChannelsReordered':
    case 'ChannelNamesNormalised':
    case 'ChannelDeleted':
    case 'ChannelMessagesRemoved':
      return whileActive(state, (record) => evolveChannels(record, event))
    case 'GuildSettingsChanged':
      return whileActive(state, (record) => ({ ...record, settings: { ...record.settings, ...event.data.settings } }))
    case 'GuildModified':
      return whileActive(state, (record) => modified(record, event.data.after))
    case 'VanityCodeChanged':
      return whileActive(state, (record) => withCode(record, event.data.after))
    case 'OwnershipTransferred':
      return whileActive(state, (record) => ({ ...record, ownerId: event.data.to }))
    case 'GuildFeaturesChanged':
      return whileActive(state, (record) => ({ ...record, features: event.data.features }))
    case 'GuildDeleted':
      return { status: 'deleted', id: event.data.guildId, ownerId: event.data.ownerId }
  }
}

function withCode({ vanityClaim: _, ...record }: Guild, held: CustomCode | null): Guild {
  const settings = { ...record.settings, vanityCode: held?.code ?? null }
  return { ...record, settings, ...(held && { vanityClaim: held.claim }) }
}

function whileActive(state: GuildState, next: (record: Guild) => Guild): GuildState {
  return state.status === 'active' ? { status: 'active', ...next(state) } : state
}
