import type { AccountId, GuildId, InviteCode } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { GroupInviteTerms, InviteTerms } from './events.js'

export type InviteCommand =
  | CreateInvite
  | CreateGroupInvite
  | RedeemInvite
  | ReturnRedemption
  | DeleteInvite
  | ClaimCustomCode
  | ReleaseCustomCode

export interface CreateInvite {
  readonly type: 'CreateInvite'
  readonly terms: InviteTerms
}

/** Makes an invite to a private channel. */
export interface CreateGroupInvite {
  readonly type: 'CreateGroupInvite'
  readonly terms: GroupInviteTerms
  /** Everybody who takes part in the channel. */
  readonly recipients: readonly AccountId[]
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
  /** Everybody who takes part in the channel, where it is one to a private channel. */
  readonly recipients?: readonly AccountId[]
  readonly now: Timestamp
}

/** Takes a code that a guild has chosen, in lower case, anew where the guild has it already. */
export interface ClaimCustomCode {
  readonly type: 'ClaimCustomCode'
  readonly code: InviteCode
  readonly guildId: GuildId
}

/** Gives back what one claim of a guild took. */
export interface ReleaseCustomCode {
  readonly type: 'ReleaseCustomCode'
  readonly code: InviteCode
  readonly guildId: GuildId
  readonly claim: number
}
