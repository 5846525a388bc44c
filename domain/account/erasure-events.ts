import type { AccountId } from '../ids/ids.ts'
import { accountEvent } from './account-event.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

/** The events of the end of an account, and of what stays of it. */
export const erasureEvents = {
  AccountErasureStarted: accountEvent<AccountErasureStarted>({
    accountId: 'text',
    username: 'text',
    addressHash: 'text or null',
    identityHashes: 'list',
    startedAt: 'text',
  }),
  AccountErased: accountEvent<AccountErased>({ accountId: 'text', erasedAt: 'text' }),
  MessagesAnonymised: accountEvent<MessagesAnonymised>({
    accountId: 'text',
    anonymisedAt: 'text',
  }),
  AnonymousAccountCreated: accountEvent<AnonymousAccountCreated>({ accountId: 'text', createdAt: 'text' }),
}

/** Nobody holds the account any more. Its sessions have ended, and everything of its holder is removed until AccountErased. */
export interface AccountErasureStarted {
  readonly accountId: AccountId
  /** The tag to release. */
  readonly username: string
  /** The keyed hash of the address to release; null without one. */
  readonly addressHash: string | null
  /** The identities at OpenID providers to release. */
  readonly identityHashes: readonly string[]
  readonly startedAt: Timestamp
  readonly purchases?: readonly string[] // The ids of the streams of its purchases; absent for none.
}

/** No data of its holder is left, except messages. */
export interface AccountErased {
  readonly accountId: AccountId
  readonly erasedAt: Timestamp
}

/** An account that nobody ever holds: the author of an erased account's messages, which it does not name. */
export interface AnonymousAccountCreated {
  readonly accountId: AccountId
  readonly createdAt: Timestamp
}

/** Its messages have another author. */
export interface MessagesAnonymised {
  readonly accountId: AccountId
  readonly anonymisedAt: Timestamp
}
