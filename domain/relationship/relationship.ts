import { accountId as asAccountId, type AccountId } from '../ids/ids.ts'
import { snowflake } from '../ids/snowflake.ts'
import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import type {
  AcceptFriendship,
  Block,
  RelationshipCommand,
  RemoveByKind,
  RemoveRelationship,
  RequestFriendship,
  SetNickname,
} from './commands.ts'
import { relationshipEvents, type RelationshipEvent } from './events.ts'
import { sideOf, type RelationshipState, type Side } from './state.ts'

/**
 * The relationship of two accounts, in one stream. So a friendship is always on both sides, and two requests that cross become
 * one friendship. A block belongs to its owner: the other side does not show it.
 */
export const relationship = aggregate({
  category: 'relationship',
  identifiedBy: 'the two account ids, the lower one first',
  guards: 'friendships, friend requests, blocks and friend nicknames (decision 32)',
  stateVersion: 1,
  events: relationshipEvents,
  subjectOf: (_id, { accountId }) => asAccountId(snowflake(String(accountId))),
  snapshots: 'none',
  initial: { status: 'unrelated', sides: {} },
  decide,
  evolve,
})

function decide(state: RelationshipState, command: RelationshipCommand): Decision<RelationshipEvent> {
  switch (command.type) {
    case 'RequestFriendship':
      return request(state, command)
    case 'AcceptFriendship':
      return acceptRequest(state, command)
    case 'Block':
      return block(state, command)
    case 'SetNickname':
      return setNickname(state, command)
    case 'RemoveRelationship':
      return remove(state, command)
    case 'RemoveByKind':
      return removeByKind(state, command)
  }
}

/**
 * Requests a friendship. If the other account has sent a request, this accepts it, even if that request was ignored or
 * removed. See rules/messages#friend-requests.
 */
function request(state: RelationshipState, command: RequestFriendship): Decision<RelationshipEvent> {
  const { accountId, otherId, now } = command
  const [own, others] = [sideOf(state, accountId), sideOf(state, otherId)]
  if (own?.kind === 'incoming') return befriend(state, command)
  if (own?.kind === 'friend' || own?.kind === 'outgoing') return accept()
  const refusal = requestRefusal(state, accountId, otherId)
  if (refusal) return refuse(refusal)
  if (others?.kind === 'outgoing' || command.as === 'befriended') return befriend(state, command)
  const shown = command.as === 'asked'
  return accept({ type: 'FriendshipRequested', data: { accountId, otherId, requestedAt: now, shown } })
}

/** Why an account may not send a request to another: a block on either side (rules/messages#friend-requests). */
export function requestRefusal(
  state: RelationshipState,
  accountId: AccountId,
  otherId: AccountId,
): 'CANNOT_SEND_FRIEND_REQUEST_TO_BLOCKED_USER' | 'FRIEND_REQUEST_BLOCKED' | undefined {
  if (sideOf(state, accountId)?.kind === 'blocked') return 'CANNOT_SEND_FRIEND_REQUEST_TO_BLOCKED_USER'
  return sideOf(state, otherId)?.kind === 'blocked' ? 'FRIEND_REQUEST_BLOCKED' : undefined
}

/** Accepts the other's request; 404 UNKNOWN_USER if there is none. */
function acceptRequest(state: RelationshipState, command: AcceptFriendship): Decision<RelationshipEvent> {
  if (sideOf(state, command.accountId)?.kind !== 'incoming') return refuse('UNKNOWN_USER')
  return befriend(state, command)
}

function befriend(
  state: RelationshipState,
  { accountId, otherId, now }: RequestFriendship | AcceptFriendship,
): Decision<RelationshipEvent> {
  const requestsOf = [accountId, otherId].filter((account) => sideOf(state, account) !== undefined)
  return accept({ type: 'FriendshipFormed', data: { accountId, otherId, formedAt: now, requestsOf } })
}

/**
 * Blocks the other. The blocker's side becomes a block. On the other's side, a friendship or received request is removed, but a
 * sent request stays, so that the other does not notice.
 */
function block(state: RelationshipState, { accountId, otherId, now }: Block): Decision<RelationshipEvent> {
  if (sideOf(state, accountId)?.kind === 'blocked') return accept()
  const others = sideOf(state, otherId)?.kind
  const removedFromOther = otherId !== accountId && (others === 'friend' || others === 'incoming')
  return accept({ type: 'AccountBlocked', data: { accountId, otherId, blockedAt: now, removedFromOther } })
}

/** Only friends have nicknames; 404 UNKNOWN_USER for anybody else. */
function setNickname(
  state: RelationshipState,
  { accountId, otherId, nickname }: SetNickname,
): Decision<RelationshipEvent> {
  const own = sideOf(state, accountId)
  if (own?.kind !== 'friend') return refuse('UNKNOWN_USER')
  if (own.nickname === nickname) return accept()
  return accept({ type: 'FriendNicknameChanged', data: { accountId, otherId, nickname, since: own.since } })
}

/**
 * Friendships and sent requests end on both sides. A received request and a block end only on the caller's side, so the
 * other does not notice. UNKNOWN_USER if there is nothing. See rules/messages#end-a-relationship.
 */
function remove(state: RelationshipState, command: RemoveRelationship): Decision<RelationshipEvent> {
  const { accountId, otherId, what } = command
  if (what === 'request' && sideOf(state, accountId)?.kind !== 'incoming') return accept()
  const removedFrom = what === 'everything' ? present(state, [accountId, otherId]) : ending(state, accountId, otherId)
  if (removedFrom.length > 0) return accept({ type: 'RelationshipRemoved', data: { accountId, otherId, removedFrom } })
  return what === 'own' ? refuse('UNKNOWN_USER') : accept()
}

/**
 * Changes nothing if the account has no relationship of this kind. A received request ends as if its sender took it
 * back, on both sides.
 */
function removeByKind(
  state: RelationshipState,
  { accountId, otherId, kind }: RemoveByKind,
): Decision<RelationshipEvent> {
  if (sideOf(state, accountId)?.kind !== kind) return accept()
  const removedFrom = kind === 'incoming' ? ending(state, otherId, accountId) : ending(state, accountId, otherId)
  return accept({ type: 'RelationshipRemoved', data: { accountId, otherId, removedFrom } })
}

function ending(state: RelationshipState, accountId: AccountId, otherId: AccountId): readonly AccountId[] {
  switch (sideOf(state, accountId)?.kind) {
    case 'friend':
      return [accountId, otherId]
    case 'outgoing':
      return sideOf(state, otherId)?.kind === 'incoming' ? [accountId, otherId] : [accountId]
    case 'incoming':
    case 'blocked':
      return [accountId]
    case undefined:
      return []
  }
}

function present(state: RelationshipState, accounts: readonly AccountId[]): readonly AccountId[] {
  return accounts.filter((account) => sideOf(state, account) !== undefined)
}

function evolve(state: RelationshipState, { type, data }: RelationshipEvent): RelationshipState {
  const { accountId, otherId } = data
  switch (type) {
    case 'FriendshipRequested': {
      const outgoing = withSide(state, accountId, 'outgoing', data.requestedAt)
      return data.shown ? withSide(outgoing, otherId, 'incoming', data.requestedAt) : outgoing
    }
    case 'FriendshipFormed':
      return withSide(withSide(state, accountId, 'friend', data.formedAt), otherId, 'friend', data.formedAt)
    case 'AccountBlocked': {
      const left = data.removedFromOther ? without(state, [otherId]) : state
      return withSide(left, accountId, 'blocked', data.blockedAt)
    }
    case 'FriendNicknameChanged': {
      const own = sideOf(state, accountId)
      return own ? between({ ...state.sides, [accountId]: { ...own, nickname: data.nickname } }) : state
    }
    case 'RelationshipRemoved':
      return without(state, data.removedFrom)
  }
}

function withSide(
  { sides }: RelationshipState,
  account: AccountId,
  kind: Side['kind'],
  since: Side['since'],
): RelationshipState {
  return between({ ...sides, [account]: { kind, since, nickname: null } })
}

function without({ sides }: RelationshipState, accounts: readonly AccountId[]): RelationshipState {
  return between(Object.fromEntries(Object.entries(sides).filter(([id]) => !accounts.some((gone) => gone === id))))
}

function between(sides: RelationshipState['sides']): RelationshipState {
  return { status: Object.keys(sides).length === 0 ? 'unrelated' : 'related', sides }
}
