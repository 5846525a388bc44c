import type { AccountId } from '../ids/ids.js'
import type { Tag } from './events.js'

export type HandleCommand = ClaimHandle | ReleaseHandle

/**
 * Takes a free discriminator of a username for an account, or the username alone. An account that holds one takes another only
 * where the claim wishes for it and `replaces` names the one that it holds: it then holds both until it releases that.
 */
export interface ClaimHandle {
  readonly type: 'ClaimHandle'
  /** In any case: Ada and ada share their discriminators. */
  readonly username: string
  readonly accountId: AccountId
  /** Chance, from 0 up to but not including 1: it picks among the free discriminators. */
  readonly roll: number
  /** The discriminator that is wanted; absent where any will do. */
  readonly wish?: DiscriminatorWish
  /** Whether usernames are unique alone: then it takes discriminator 0, and nobody else may have the username. */
  readonly alone?: boolean
  /** The tag that the account gives up once it has this one; absent where it has none yet. */
  readonly replaces?: Tag
}

/** What is to happen where somebody else holds the discriminator: the roll picks another, or the claim is refused. */
export interface DiscriminatorWish {
  readonly discriminator: number
  readonly otherwise: 'roll' | 'refuse'
}

/** Frees what an account holds. An account that holds nothing changes nothing. */
export interface ReleaseHandle {
  readonly type: 'ReleaseHandle'
  readonly accountId: AccountId
  /** Absent for every one that it holds. */
  readonly discriminator?: number
}
