import type { AccountId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { Arrangement } from './guild-folders.ts'
import type { CustomStatus, PlainChanges } from './settings.ts'

/** The events of an account's settings. Kept forever: members are added, never renamed or reused. */
export const userSettingsEvents = {
  UserSettingsChanged: event<UserSettingsChanged>(
    { accountId: 'text', changes: 'object' },
    { personal: ['customStatus', 'syncedPreferences'] },
  ),
}

export type UserSettingsEvent = EventOf<typeof userSettingsEvents>

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
