import type { AccountId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { Side } from './state.ts'

export type RelationshipCommand =
  | RequestFriendship
  | AcceptFriendship
  | Block
  | SetNickname
  | RemoveRelationship
  | RemoveByKind

/** The acting account and its target. */
interface Between {
  readonly accountId: AccountId
  readonly otherId: AccountId
}

export interface RequestFriendship extends Between {
  readonly type: 'RequestFriendship'
  /**
   * The effect of the request. `asked` waits for the target. `hidden` waits too, but the target never sees it, since the sender
   * is known for spam. `befriended` takes effect at once, since the target is a bot that accepts everybody.
   */
  readonly as: 'asked' | 'hidden' | 'befriended'
  readonly now: Timestamp
}

export interface AcceptFriendship extends Between {
  readonly type: 'AcceptFriendship'
  readonly now: Timestamp
}

export interface Block extends Between {
  readonly type: 'Block'
  readonly now: Timestamp
}

export interface SetNickname extends Between {
  readonly type: 'SetNickname'
  /** 1-256 characters; null for none. */
  readonly nickname: string | null
}

export interface RemoveRelationship extends Between {
  readonly type: 'RemoveRelationship'
  /**
   * `own`: the caller's own relationship. `request`: the same, but only a received request. `everything`: both sides, since the
   * caller is erased.
   */
  readonly what: 'own' | 'request' | 'everything'
}

/** An administrator removes the account's relationship of this kind: for both accounts, but a block for its owner alone. */
export interface RemoveByKind extends Between {
  readonly type: 'RemoveByKind'
  readonly kind: Side['kind']
}
