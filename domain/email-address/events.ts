import type { AccountId } from '../ids/ids.js'
import { event, type EventOf } from '../kernel/event-catalog.js'

/**
 * Who holds one e-mail address. The stream is named by a keyed hash of the normalised address, so that the address itself
 * is in no stream name. Kept forever: members are added, never renamed or reused.
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
  /** The hash of the address that is to be released once the account has this one; absent where the account had none. */
  readonly replaces?: string
}
