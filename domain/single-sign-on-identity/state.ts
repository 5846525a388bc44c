import type { AccountId } from '../ids/ids.ts'

/** The account that an identity at an OpenID provider signs in to, if any. */
export type SingleSignOnIdentityState =
  | { readonly status: 'free' }
  | { readonly status: 'held'; readonly identityHash: string; readonly accountId: AccountId }
