import type { AccountId } from '../ids/ids.js'
import { event, type EventOf } from '../kernel/event-catalog.js'

/**
 * The events of an e-mail address and its holder. A keyed hash of the normalised address names the stream, so no stream name
 * contains the address. Kept forever: members are added, never renamed or reused.
 */
export const emailAddressEvents = {
  EmailAddressClaimed: event<EmailAddressClaimed>({ addressHash: 'text', accountId: 'text' }),
  EmailAddressReleased: event<{ readonly addressHash: string; readonly accountId: AccountId }>({
    addressHash: 'text',
    accountId: 'text',
  }),
}

export type EmailAddressEvent = EventOf<typeof emailAddressEvents>

export interface EmailAddressClaimed {
  readonly addressHash: string
  readonly accountId: AccountId
  /** The hash of the previous address, to release once the account has this one; absent if it had none. */
  readonly replaces?: string
}
