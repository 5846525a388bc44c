import { accountId } from '../ids/ids.ts'
import { snowflake } from '../ids/snowflake.ts'
import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import { field, type FieldError } from '../kernel/refusal.ts'
import { otherThan, sameJson } from '../kernel/same-json.ts'
import type { ChangeUserSettings, RestrictJoinedGuild, UserSettingsCommand } from './commands.ts'
import { userSettingsEvents, type UserSettingsChanged, type UserSettingsEvent } from './events.ts'
import { firstArrangement, foldersNow } from './guild-folders.ts'
import {
  hasExpired,
  keptFriendSources,
  sensitiveContent,
  staffSettings,
  type ChosenSettings,
  type PlainChanges,
} from './settings.ts'
import type { UserSettingsState } from './state.ts'

/** The settings of an account. Guild folders are stored as arranged: see `foldersNow`. */
export const userSettings = aggregate({
  category: 'user_settings',
  identifiedBy: 'the account id',
  guards: 'what an account chose for itself (decision 17)',
  stateVersion: 1,
  events: userSettingsEvents,
  subjectOf: (id) => accountId(snowflake(id)),
  initial: { status: 'untouched', chosen: {} },
  decide,
  evolve,
})

/** The maximum size of the synced preferences, decoded. */
export const syncedPreferences_bytes_max = 262_144

function decide(state: UserSettingsState, command: UserSettingsCommand): Decision<UserSettingsEvent> {
  switch (command.type) {
    case 'ChangeUserSettings':
      return change(state, command)
    case 'RestrictJoinedGuild':
      return restrictJoined(state, command)
  }
}

/**
 * Changes the settings that differ. Refuses with INVALID_FORM_BODY on `custom_status.expires_at` for a time in the
 * past, and with VALIDATION_ERROR with INVALID_TRUSTED_DOMAINS, AGE_RESTRICTED, INVALID_BASE64_FORMAT or
 * BASE64_LENGTH_INVALID. Settings for staff are dropped for everybody else.
 */
function change({ chosen }: UserSettingsState, command: ChangeUserSettings): Decision<UserSettingsEvent> {
  if (command.customStatus && hasExpired(command.customStatus, command.now)) {
    return refuse('INVALID_FORM_BODY', field('custom_status.expires_at', 'INVALID_FORMAT'))
  }
  const faults = faultsOf(command)
  if (faults.length > 0) return refuse('VALIDATION_ERROR', ...faults)
  const changes = permitted(chosen, command)
  const others = { ...newFolders(chosen, command), ...newPersonal(chosen, command) }
  if (Object.keys({ ...changes, ...others }).length === 0) return accept()
  return accept({ type: 'UserSettingsChanged', data: { accountId: command.accountId, changes, ...others } })
}

/** Adds a newly joined guild to the restricted ones, if the account has chosen this for all guilds. */
function restrictJoined(
  { chosen }: UserSettingsState,
  { accountId, guildId }: RestrictJoinedGuild,
): Decision<UserSettingsEvent> {
  const { restrictedGuilds = [], botRestrictedGuilds = [] } = chosen
  const ofPeople = chosen.defaultGuildsRestricted === true && !restrictedGuilds.includes(guildId)
  const ofBots = chosen.botDefaultGuildsRestricted === true && !botRestrictedGuilds.includes(guildId)
  if (!ofPeople && !ofBots) return accept()
  const changes = {
    ...(ofPeople && { restrictedGuilds: [...restrictedGuilds, guildId] }),
    ...(ofBots && { botRestrictedGuilds: [...botRestrictedGuilds, guildId] }),
  }
  return accept({ type: 'UserSettingsChanged', data: { accountId, changes } })
}

/** The changes that differ, in their stored form, without settings for staff. */
function permitted(chosen: ChosenSettings, { changes, isStaff }: ChangeUserSettings): PlainChanges {
  const forStaff: ReadonlySet<string> = new Set(isStaff ? [] : staffSettings)
  const { friendSourceFlags: sources } = changes
  const kept = sources === undefined ? changes : { ...changes, friendSourceFlags: keptFriendSources(sources) }
  const different = Object.entries(kept).filter(otherThan(chosen))
  return Object.fromEntries(different.filter(([setting]) => !forStaff.has(setting)))
}

/**
 * Compares with the folders that the account sees: the same folders again change nothing, whatever it joined and left meanwhile.
 */
function newFolders(chosen: ChosenSettings, { guildFolders, stays }: ChangeUserSettings): Partial<UserSettingsChanged> {
  if (!guildFolders) return {}
  if (sameJson(foldersNow(chosen.guildFolders ?? firstArrangement, stays), guildFolders)) return {}
  return {
    guildFolders: { folders: guildFolders, stays: stays.map(({ guildId, joinedAt }) => ({ guildId, joinedAt })) },
  }
}

function newPersonal(chosen: ChosenSettings, wishes: ChangeUserSettings): Partial<UserSettingsChanged> {
  const { customStatus, syncedPreferences } = wishes
  const saysOther = customStatus !== undefined && !sameJson(chosen.customStatus ?? null, customStatus)
  const prefersOther = syncedPreferences !== undefined && syncedPreferences !== (chosen.syncedPreferences ?? '')
  return { ...(saysOther && { customStatus }), ...(prefersOther && { syncedPreferences }) }
}

function faultsOf({ changes, isAdult, syncedPreferences }: ChangeUserSettings): readonly FieldError[] {
  const { trustedDomains = [], ...others } = changes
  const filters = [
    ['sensitive_content_friend_dm_filter', others.sensitiveContentFriendDmFilter],
    ['sensitive_content_non_friend_dm_filter', others.sensitiveContentNonFriendDmFilter],
    ['sensitive_content_guild_filter', others.sensitiveContentGuildFilter],
  ] as const
  const shown = filters.filter(([, filter]) => filter === sensitiveContent.SHOW)
  return [
    // `*` trusts every domain, so further domains are pointless.
    ...(trustedDomains.includes('*') && trustedDomains.length > 1
      ? [field('trusted_domains', 'INVALID_TRUSTED_DOMAINS')]
      : []),
    ...(isAdult ? [] : shown.map(([path]) => field(path, 'AGE_RESTRICTED'))),
    ...preferencesFaults(syncedPreferences ?? ''),
  ]
}

function preferencesFaults(text: string): readonly FieldError[] {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    return [field('synced_preferences', 'INVALID_BASE64_FORMAT')]
  }
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const decoded_bytes = (text.length / 4) * 3 - padding
  return decoded_bytes > syncedPreferences_bytes_max ? [field('synced_preferences', 'BASE64_LENGTH_INVALID')] : []
}

function evolve({ chosen }: UserSettingsState, { data }: UserSettingsEvent): UserSettingsState {
  const { changes, guildFolders, customStatus, syncedPreferences } = data
  return {
    status: 'changed',
    chosen: {
      ...chosen,
      ...changes,
      ...(guildFolders && { guildFolders }),
      ...(customStatus !== undefined && { customStatus }),
      ...(syncedPreferences !== undefined && { syncedPreferences: syncedPreferences ?? '' }),
    },
  }
}
