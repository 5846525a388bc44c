import { accept, type Decider, type Decision } from '../kernel/decider.js'
import { otherThan } from '../kernel/same-json.js'
import type { UserGuildSettingsCommand } from './commands.js'
import type { UserGuildSettingsEvent } from './events.js'
import { initialGuildSettings, type UserGuildSettings, type UserGuildSettingsState } from './state.js'

/** An account's notification settings for one guild, or for its private channels. */
export const userGuildSettings: Decider<UserGuildSettingsState, UserGuildSettingsCommand, UserGuildSettingsEvent> = {
  category: 'user_guild_settings',
  initial: { status: 'untouched', settings: initialGuildSettings, version: 0 },
  decide,
  evolve,
}

/** Changes the settings that differ; channel overrides are replaced as a whole (reference identity 9.6). */
function decide(
  { settings }: UserGuildSettingsState,
  { accountId, forGuild, changes: wishes }: UserGuildSettingsCommand,
): Decision<UserGuildSettingsEvent> {
  const different = Object.entries(wishes).filter(otherThan(settings))
  if (different.length === 0) return accept()
  const changes: Partial<UserGuildSettings> = Object.fromEntries(different)
  return accept({ type: 'UserGuildSettingsChanged', data: { accountId, forGuild, changes } })
}

function evolve(
  { settings, version }: UserGuildSettingsState,
  { data }: UserGuildSettingsEvent,
): UserGuildSettingsState {
  return { status: 'changed', settings: { ...settings, ...data.changes }, version: version + 1 }
}
