import type { AccountId } from '../ids/ids.js'

export type EmailAddressCommand = ClaimAddress | ReleaseAddress

export interface ClaimAddress {
  readonly type: 'ClaimAddress'
  /** The keyed hash of the normalised address, which also names the stream. */
  readonly addressHash: string
  readonly accountId: AccountId
  /** The hash of the address that the account gives up once it has this one; absent where it has none. */
  readonly replaces?: string
}

/** Frees the address where the account holds it; otherwise nothing changes. */
export interface ReleaseAddress {
  readonly type: 'ReleaseAddress'
  readonly accountId: AccountId
}
