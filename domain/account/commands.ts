import type { AccountId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { AccountRegistered } from './events.js'

export type AccountCommand = RegisterAccount | StartSession | EndSession | GrantAcls

export interface RegisterAccount extends Omit<AccountRegistered, 'registeredAt'> {
  readonly type: 'RegisterAccount'
  readonly now: Timestamp
}

export interface StartSession {
  readonly type: 'StartSession'
  readonly tokenHash: string
  readonly ip: string | null
  readonly userAgent: string | null
  readonly now: Timestamp
}

/** Ending a session that is not there changes nothing. */
export interface EndSession {
  readonly type: 'EndSession'
  readonly tokenHash: string
}

export interface GrantAcls {
  readonly type: 'GrantAcls'
  readonly accountId: AccountId
  readonly acls: readonly string[]
}
