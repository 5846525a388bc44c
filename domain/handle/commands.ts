import type { AccountId } from '../ids/ids.js'

export type HandleCommand = ClaimHandle | ReleaseHandle

/** Takes a free discriminator of a username for an account. */
export interface ClaimHandle {
  readonly type: 'ClaimHandle'
  /** In any case: Ada and ada share their discriminators. */
  readonly username: string
  readonly accountId: AccountId
  /** Chance, from 0 up to but not including 1: it picks among the free discriminators. */
  readonly roll: number
}

/** Frees what an account holds. An account that holds nothing changes nothing. */
export interface ReleaseHandle {
  readonly type: 'ReleaseHandle'
  readonly accountId: AccountId
}
