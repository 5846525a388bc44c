import type { AccountId } from '../ids/ids.js'

/** Who holds an e-mail address now, if anybody does. */
export type EmailAddressState =
  { readonly status: 'free' } | { readonly status: 'held'; readonly addressHash: string; readonly accountId: AccountId }
