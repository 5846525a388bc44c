import type { AccountId } from '../ids/ids.ts'
import type { Tag } from './events.ts'

export type HandleCommand = ClaimHandle | ReleaseHandle

/**
 * Claims a free discriminator of a username for an account, or the username alone. An account that holds one can claim another
 * only with `replaces` naming the one it holds. It then holds both until it releases the old one.
 */
export interface ClaimHandle {
  readonly type: 'ClaimHandle'
  /** In any case: Ada and ada share their discriminators. */
  readonly username: string
  readonly accountId: AccountId
  /** A random number from 0 up to, but not including, 1. It picks one of the free discriminators. */
  readonly roll: number
  /** The wanted discriminator; absent for any. */
  readonly wish?: DiscriminatorWish
  /** Whether usernames alone are unique. Then the claim takes discriminator 0, and nobody else may have the username. */
  readonly alone?: boolean
  /** The account's previous tag, to release once the account has this one; absent if it has none yet. */
  readonly replaces?: Tag
}

/** What to do if somebody else holds the discriminator: pick another by the roll, or refuse. */
export interface DiscriminatorWish {
  readonly discriminator: number
  readonly otherwise: 'roll' | 'refuse'
}

/** Releases what an account holds; changes nothing if it holds nothing. */
export interface ReleaseHandle {
  readonly type: 'ReleaseHandle'
  readonly accountId: AccountId
  /** Absent for all that it holds. */
  readonly discriminator?: number
}
