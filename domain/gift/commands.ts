import type { AccountId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { GiftMinted } from './events.ts'

export type GiftCommand =
  | MintGift
  | BeginRedemption
  | FinishRedemption
  | UndoRedemption
  | RevokeGift
  | ReinstateGift
  | NoteTimeTaken
  | NoteTimeReturned

/** Minting a gift again changes nothing. */
export interface MintGift extends Omit<GiftMinted, 'mintedAt'> {
  readonly type: 'MintGift'
  readonly now: Timestamp
}

export interface BeginRedemption {
  readonly type: 'BeginRedemption'
  readonly accountId: AccountId
  readonly now: Timestamp
}

/** The account has the time. */
export interface FinishRedemption {
  readonly type: 'FinishRedemption'
  readonly accountId: AccountId
  readonly now: Timestamp
}

/** The account could not take the time. */
export interface UndoRedemption {
  readonly type: 'UndoRedemption'
  readonly accountId: AccountId
}

export interface RevokeGift {
  readonly type: 'RevokeGift'
  readonly now: Timestamp
}

export interface ReinstateGift {
  readonly type: 'ReinstateGift'
  readonly now: Timestamp
}

export interface NoteTimeTaken {
  readonly type: 'NoteTimeTaken'
  readonly time_ms: number
}

export interface NoteTimeReturned {
  readonly type: 'NoteTimeReturned'
  readonly time_ms: number
}
