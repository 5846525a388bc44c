import type { AccountId } from '../ids/ids.js'

export type EmailAddressCommand = ClaimAddress | ReleaseAddress

export interface ClaimAddress {
  readonly type: 'ClaimAddress'
  /** The keyed hash of the normalised address, which also names the stream. */
  readonly addressHash: string
  readonly accountId: AccountId
}

/** Frees the address where the account holds it; otherwise nothing changes. */
export interface ReleaseAddress {
  readonly type: 'ReleaseAddress'
  readonly accountId: AccountId
}
