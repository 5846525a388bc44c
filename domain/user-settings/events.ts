import { accountId, type AccountId } from '../ids/ids.js'
import { snowflake } from '../ids/snowflake.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import { idOf } from '../kernel/streams.js'
import type { Arrangement } from './guild-folders.js'
import type { CustomStatus, PlainChanges } from './settings.js'

/** The events of an account's settings. Kept forever: members are added, never renamed or reused. */
export interface UserSettingsEvent {
  readonly type: 'UserSettingsChanged'
  readonly data: UserSettingsChanged
}

/** Absent members stay as they were. */
export interface UserSettingsChanged {
  readonly accountId: AccountId
  readonly changes: PlainChanges
  readonly guildFolders?: Arrangement
  /** Personal, like the next one: null for none, and once the account's key is destroyed. */
  readonly customStatus?: CustomStatus | null
  /** Base64. */
  readonly syncedPreferences?: string | null
}

export const userSettingsEvents: EventCatalog<UserSettingsEvent> = {
  category: 'user_settings',
  events: { UserSettingsChanged: { version: 1, personal: ['customStatus', 'syncedPreferences'] } },
  subjectOf: (stream) => accountId(snowflake(idOf(stream))),
}
