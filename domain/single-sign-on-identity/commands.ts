import type { AccountId } from '../ids/ids.ts'

export type SingleSignOnIdentityCommand = ClaimIdentity | ReleaseIdentity

export interface ClaimIdentity {
  readonly type: 'ClaimIdentity'
  /** The keyed hash of issuer and subject, which also names the stream. */
  readonly identityHash: string
  readonly accountId: AccountId
}

/** Releases the identity if the account holds it; otherwise changes nothing. */
export interface ReleaseIdentity {
  readonly type: 'ReleaseIdentity'
  readonly accountId: AccountId
}
