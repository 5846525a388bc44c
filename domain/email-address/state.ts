import type { AccountId } from '../ids/ids.ts'

/** The current holder of an e-mail address, if any. */
export type EmailAddressState = Free | Held

interface Shared {
  /** How many accounts were given the address while as many waited as may. They don't get the claim. */
  readonly beyond_count: number
}

interface Free extends Shared {
  readonly status: 'free'
  /** Empty after every command: a released address goes to the first account that waits for it. */
  readonly waiting: readonly AccountId[]
}

interface Held extends Shared {
  readonly status: 'held'
  readonly addressHash: string
  /** The account that signs in with the address. */
  readonly accountId: AccountId
  /** The accounts that an administrator gave the address too, in that order. The first takes the claim once it is free. */
  readonly waiting: readonly AccountId[]
}
