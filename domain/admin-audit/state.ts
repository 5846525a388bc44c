import type { EntryId } from '../ids/ids.js'

/** Where the log ends. */
export type AdminAuditState =
  | { readonly status: 'empty' }
  | {
      readonly status: 'begun'
      /** That of the newest entry; null before the first. */
      readonly hash: string | null
      /** The newest entries, oldest first: none of them is recorded a second time. */
      readonly newest: readonly EntryId[]
      /** The newest entries that are not waited for, oldest first. A repeated request may succeed and bring one after all. */
      readonly refused: readonly EntryId[]
    }

/** The one log there is: what the id of its stream ends with. */
export const theLog = 'self'

/** More than can be at work at once: whoever records an entry again does so soon, or knows it by its event's id. */
export const newest_max = 64
