import type { LoggedField } from '../../../domain/account/logged-fields.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'

/** A change of an account's tag or address. */
export interface UserChange {
  /** An unsigned decimal that grows with each change: the position of its event. */
  readonly id: string
  readonly field: LoggedField
  /** Null for no address. */
  readonly oldValue: string | null
  readonly newValue: string | null
  /** `user_requested`, `admin_action`, or null if neither the holder nor an administrator changed it. */
  readonly reason: string | null
  /** The administrator; null for anybody else. */
  readonly actorId: AccountId | null
  readonly changedAt: Timestamp
}

/** A page of changes, newest first. */
export interface ChangesPage {
  /** 1-200. */
  readonly limit: number
  /** The id that all of the page are below; null for the newest. */
  readonly before: string | null
}

export interface UserChangeLogQueries {
  /** Empty for an unknown or erased account. */
  ofAccount(account: AccountId, page: ChangesPage): Promise<readonly UserChange[]>
}
