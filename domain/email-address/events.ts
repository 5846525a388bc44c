import type { AccountId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'

/**
 * The events of an e-mail address and its holder. A keyed hash of the normalised address names the stream, so no stream name
 * contains the address. Kept forever: members are added, never renamed or reused.
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
  /** The hash of the previous address, to release once the account has this one; absent if it had none. */
  readonly replaces?: string
}

export const emailAddressEvents: EventCatalog<EmailAddressEvent> = {
  category: 'email_address',
  events: { EmailAddressClaimed: { version: 1 }, EmailAddressReleased: { version: 1 } },
}
