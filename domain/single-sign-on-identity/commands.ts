import type { AccountId } from '../ids/ids.js'

export type SingleSignOnIdentityCommand = ClaimIdentity | ReleaseIdentity

export interface ClaimIdentity {
  readonly type: 'ClaimIdentity'
  /** The keyed hash of issuer and subject, which also names the stream. */
  readonly identityHash: string
  readonly accountId: AccountId
}

/** Frees the identity where the account holds it; otherwise nothing changes. */
export interface ReleaseIdentity {
  readonly type: 'ReleaseIdentity'
  readonly accountId: AccountId
}
