import type { AccountId } from '../ids/ids.js'

/** The current holder of an e-mail address, if any. */
export type EmailAddressState =
  { readonly status: 'free' } | { readonly status: 'held'; readonly addressHash: string; readonly accountId: AccountId }
