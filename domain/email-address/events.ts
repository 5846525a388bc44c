import type { AccountId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'

/**
 * The events of an e-mail address and its holder. A keyed hash of the normalised address names the stream, so no stream name
 * contains the address. Kept forever: members are added, never renamed or reused.
 */
export const emailAddressEvents = {
  EmailAddressClaimed: event<EmailAddressClaimed>({ addressHash: 'text', accountId: 'text' }),
  EmailAddressReleased: event<OfAccount>({ addressHash: 'text', accountId: 'text' }),
  EmailAddressAwaited: event<EmailAddressAwaited>({ addressHash: 'text', accountId: 'text' }),
  EmailAddressNoLongerAwaited: event<OfAccount>({ addressHash: 'text', accountId: 'text' }),
}

export type EmailAddressEvent = EventOf<typeof emailAddressEvents>

export interface OfAccount {
  readonly addressHash: string
  readonly accountId: AccountId
}

export interface EmailAddressClaimed extends OfAccount {
  /** The hash of the previous address, to release once the account has this one; absent if it had none. */
  readonly replaces?: string
  /** Whether the account waited for the claim, and has the address already; otherwise absent. */
  readonly awaited?: true
}

/** An administrator gives the account an address that another account holds. It gets the claim once that is free. */
export interface EmailAddressAwaited extends OfAccount {
  /** As for a claim. */
  readonly replaces?: string
  /** As many accounts wait as may: this one has the address, but never gets the claim. Otherwise absent. */
  readonly beyondQueue?: true
}
