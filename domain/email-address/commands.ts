import type { AccountId } from '../ids/ids.ts'

export type EmailAddressCommand = ClaimAddress | ReleaseAddress

export interface ClaimAddress {
  readonly type: 'ClaimAddress'
  /** The keyed hash of the normalised address, which also names the stream. */
  readonly addressHash: string
  readonly accountId: AccountId
  /** The hash of the account's previous address, to release once the account has this one; absent if it had none. */
  readonly replaces?: string
  /** Whether the account may have an address that another account holds, and waits for its claim; absent if it is refused then. */
  readonly orWaits?: true
}

/** Releases the address if the account holds it, or ends its waiting for it; otherwise changes nothing about others. */
export interface ReleaseAddress {
  readonly type: 'ReleaseAddress'
  readonly addressHash: string
  readonly accountId: AccountId
}
