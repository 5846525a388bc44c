import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, type Decision } from '../kernel/decider.ts'
import { otherThan } from '../kernel/same-json.ts'
import type { UserGuildSettingsCommand } from './commands.ts'
import { userGuildSettingsEvents, type UserGuildSettingsEvent } from './events.ts'
import { initialGuildSettings, type UserGuildSettings, type UserGuildSettingsState } from './state.ts'

/** An account's notification settings for one guild, or for its private channels. */
export const userGuildSettings = aggregate({
  category: 'user_guild_settings',
  identifiedBy: 'account id and guild id (0 for private channels)',
  guards: 'what an account wants to hear of a guild, and the version of that',
  stateVersion: 1,
  events: userGuildSettingsEvents,
  initial: { status: 'untouched', settings: initialGuildSettings, version: 0 },
  decide,
  evolve,
})

/** Changes the settings that differ; channel overrides are replaced as a whole. */
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
