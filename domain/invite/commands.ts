import type { AccountId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { InviteTerms } from './events.js'

export type InviteCommand = CreateInvite | RedeemInvite | ReturnRedemption | DeleteInvite

export interface CreateInvite {
  readonly type: 'CreateInvite'
  readonly terms: InviteTerms
}

/** Takes one use for an account. */
export interface RedeemInvite {
  readonly type: 'RedeemInvite'
  readonly accountId: AccountId
  /** Names this redemption, so that it is taken once and can be returned. */
  readonly redemptionId: string
  readonly now: Timestamp
}

/** Gives back the use of a redemption whose admission was refused. */
export interface ReturnRedemption {
  readonly type: 'ReturnRedemption'
  readonly redemptionId: string
}

export interface DeleteInvite {
  readonly type: 'DeleteInvite'
  readonly by: AccountId
  readonly now: Timestamp
}
