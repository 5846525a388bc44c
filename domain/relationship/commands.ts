import type { AccountId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'

export type RelationshipCommand = RequestFriendship | AcceptFriendship | Block | SetNickname | RemoveRelationship

/** Who acts, and on whom. */
interface Between {
  readonly accountId: AccountId
  readonly otherId: AccountId
}

export interface RequestFriendship extends Between {
  readonly type: 'RequestFriendship'
  /**
   * What becomes of it: `asked` waits for the other; `hidden` waits too, and the other never sees it, since the caller is known for
   * spam; `befriended` waits for nobody, since the other is a bot that befriends everybody.
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
   * `own`: what the caller has, as a person takes it back. `request`: the same, where it is a request that came. `everything`: what
   * either has, since the caller is no more.
   */
  readonly what: 'own' | 'request' | 'everything'
}
