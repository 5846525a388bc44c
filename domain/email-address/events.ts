import type { AccountId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'

/**
 * Who holds one e-mail address. The stream is named by a keyed hash of the normalised address, so that the address itself
 * is in no stream name. Kept forever: members are added, never renamed or reused.
 */
export type EmailAddressEvent =
  | {
      readonly type: 'EmailAddressClaimed'
      readonly data: EmailAddressClaimed
    }
  | {
      readonly type: 'EmailAddressReleased'
      readonly data: { readonly addressHash: string; readonly accountId: AccountId }
    }

export interface EmailAddressClaimed {
  readonly addressHash: string
  readonly accountId: AccountId
  /** The hash of the address that is to be released once the account has this one; absent where the account had none. */
  readonly replaces?: string
}

export const emailAddressEvents: EventCatalog<EmailAddressEvent> = {
  category: 'email_address',
  events: { EmailAddressClaimed: { version: 1 }, EmailAddressReleased: { version: 1 } },
}
