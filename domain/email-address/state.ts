import type { AccountId } from '../ids/ids.js'

/** The current holder of an e-mail address, if any. */
export type EmailAddressState = Free | Held

interface Free {
  readonly status: 'free'
  /** Empty after every command: a released address goes to the first account that waits for it. */
  readonly waiting: readonly AccountId[]
}

interface Held {
  readonly status: 'held'
  readonly addressHash: string
  /** The account that signs in with the address. */
  readonly accountId: AccountId
  /** The accounts that an administrator gave the address too, in that order. The first takes the claim once it is free. */
  readonly waiting: readonly AccountId[]
}
