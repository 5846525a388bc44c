import type { AccountId, GuildId, InviteCode } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { GroupInviteTerms, InviteTerms } from './events.ts'

export type InviteCommand =
  | CreateInvite
  | CreateGroupInvite
  | RedeemInvite
  | ReturnRedemption
  | DeleteInvite
  | RestoreInvite
  | ClaimCustomCode
  | ReleaseCustomCode

export interface CreateInvite {
  readonly type: 'CreateInvite'
  readonly terms: InviteTerms
}

/** Creates an invite to a private channel. */
export interface CreateGroupInvite {
  readonly type: 'CreateGroupInvite'
  readonly terms: GroupInviteTerms
  /** All recipients of the channel. */
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

/** Returns the use of a redemption whose admission was refused. */
export interface ReturnRedemption {
  readonly type: 'ReturnRedemption'
  readonly redemptionId: string
}

export interface DeleteInvite {
  readonly type: 'DeleteInvite'
  readonly by: AccountId
  /** All recipients of the channel, for a private channel. */
  readonly recipients?: readonly AccountId[]
  readonly now: Timestamp
}

/** Brings a deleted invite to a guild back, with the uses that it had left. */
export interface RestoreInvite {
  readonly type: 'RestoreInvite'
  readonly terms: InviteTerms
  /** How many of `maxUses` were taken. */
  readonly uses: number
}

/** Claims a code that a guild has chosen, in lower case. Makes a new claim if the guild has it already. */
export interface ClaimCustomCode {
  readonly type: 'ClaimCustomCode'
  readonly code: InviteCode
  readonly guildId: GuildId
}

/** Returns one claim of a guild. */
export interface ReleaseCustomCode {
  readonly type: 'ReleaseCustomCode'
  readonly code: InviteCode
  readonly guildId: GuildId
  readonly claim: number
}
