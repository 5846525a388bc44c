import { accountId, type AccountId } from '../ids/ids.js'
import { snowflake } from '../ids/snowflake.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import { idOf } from '../kernel/streams.js'
import type { Arrangement } from './guild-folders.js'
import type { CustomStatus, PlainChanges } from './settings.js'

/** What can happen to the settings of an account. Kept forever: members are added, never renamed or reused. */
export interface UserSettingsEvent {
  readonly type: 'UserSettingsChanged'
  readonly data: UserSettingsChanged
}

/** What is absent stays as it was. */
export interface UserSettingsChanged {
  readonly accountId: AccountId
  readonly changes: PlainChanges
  readonly guildFolders?: Arrangement
  /** Personal, as is the next one: null for none, and once the account's key is destroyed. */
  readonly customStatus?: CustomStatus | null
  /** Base64. */
  readonly syncedPreferences?: string | null
}

export const userSettingsEvents: EventCatalog<UserSettingsEvent> = {
  category: 'user_settings',
  events: { UserSettingsChanged: { version: 1, personal: ['customStatus', 'syncedPreferences'] } },
  subjectOf: (stream) => accountId(snowflake(idOf(stream))),
}
