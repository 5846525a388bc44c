import { accept, refuse, type Decision } from '../../kernel/decider.ts'
import { field, type FieldError } from '../../kernel/refusal.ts'
import { namesWithoutFlexibility } from '../channel-names.ts'
import type { ChangeSettings, FeatureChanges, SetFeatures } from '../commands.ts'
import type { GuildEvent } from '../events.ts'
import type { GuildFeature } from '../features.ts'
import type { Guild, GuildSettings, GuildState } from '../state.ts'
import { differing, eachOnce } from './values.ts'

export function changeSettings(state: GuildState, { settings }: ChangeSettings): Decision<GuildEvent> {
  if (state.status !== 'active') return refuse('UNKNOWN_GUILD')
  const changed = differing(settings, state.settings)
  if (Object.keys(changed).length === 0) return accept()
  const stray = strayReference(state, changed)
  if (stray) return refuse('INVALID_FORM_BODY', stray)
  return accept({ type: 'GuildSettingsChanged', data: { guildId: state.id, settings: changed } })
}

/** Features are a set: each at most once, in no particular order. */
export function setFeatures(state: GuildState, command: SetFeatures): Decision<GuildEvent> {
  if (state.status !== 'active') return refuse('UNKNOWN_GUILD')
  const wanted = eachOnce('features' in command ? command.features : changedFeatures(state, command))
  const isTheSameSet =
    wanted.length === state.features.length && wanted.every((feature) => state.features.includes(feature))
  if (isTheSameSet) return accept()
  const changed: GuildEvent = { type: 'GuildFeaturesChanged', data: { guildId: state.id, features: wanted } }
  return accept<GuildEvent>(changed, ...namesNormalised(state, wanted))
}

/** A feature that is both added and removed is removed. */
function changedFeatures({ features }: Guild, { add, remove }: FeatureChanges): readonly GuildFeature[] {
  return [...features, ...add].filter((feature) => !remove.includes(feature))
}

/** The first setting that names a channel that the guild does not have. */
function strayReference({ channels }: Guild, settings: Partial<GuildSettings>): FieldError | undefined {
  const { systemChannelId, afkChannelId, rulesChannelId } = settings
  const isStray = (id: string | null | undefined): boolean => !!id && channels.every((channel) => channel.id !== id)
  if (isStray(systemChannelId)) return field('system_channel_id', 'SYSTEM_CHANNEL_MUST_BE_IN_GUILD')
  if (isStray(afkChannelId)) return field('afk_channel_id', 'AFK_CHANNEL_MUST_BE_IN_GUILD')
  return isStray(rulesChannelId) ? field('rules_channel_id', 'INVALID_CHANNEL_ID') : undefined
}

/** A guild that loses flexible names has its text and announcement channels renamed to plain names. */
export function namesNormalised({ id, features, channels }: Guild, wanted: Guild['features']): readonly GuildEvent[] {
  const loses = features.includes('TEXT_CHANNEL_FLEXIBLE_NAMES') && !wanted.includes('TEXT_CHANNEL_FLEXIBLE_NAMES')
  const names = loses ? namesWithoutFlexibility(channels) : []
  return names.length === 0 ? [] : [{ type: 'ChannelNamesNormalised', data: { guildId: id, names } }]
}
