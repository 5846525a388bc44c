import type { EntryId } from '../ids/ids.ts'

/** The end of the log. */
export type AdminAuditState =
  | { readonly status: 'empty' }
  | {
      readonly status: 'begun'
      /** The hash of the newest entry; null before the first. */
      readonly hash: string | null
      /** The newest entries, oldest first: none of them is recorded again. */
      readonly newest: readonly EntryId[]
      /** The newest entries that need not come, oldest first. A repeated request may succeed and add one after all. */
      readonly refused: readonly EntryId[]
    }

/** The id of the single log's stream. */
export const theLog = 'self'

/** More than can be in progress at once. An entry is recorded again either soon, or found by its event's id. */
export const newest_max = 64
