import { relationshipObject } from '../../../application/wire-objects/conversations/relationship-objects.ts'
import { partialUserObject } from '../../../application/wire-objects/identity/user-objects.ts'
import type { Relationship } from '../../../application/ports/queries/relationship-queries.ts'
import { relationshipTypes, type RelationshipType } from '../../../domain/relationship/relationship-types.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { RelationshipEvent } from '../../../domain/relationship/events.ts'
import type { Known } from '../../visibility/known-event.ts'
import { same, type Dispatch } from '../dispatch.ts'
import { preparing, type Preparation, type Scene, type Telling } from '../telling.ts'

const { friend, blocked, incomingRequest, outgoingRequest } = relationshipTypes

/** A change of one side of a relationship: new, changed, or gone. */
type Heard =
  | { readonly t: 'RELATIONSHIP_ADD' | 'RELATIONSHIP_UPDATE'; readonly relationship: Relationship }
  | { readonly t: 'RELATIONSHIP_REMOVE'; readonly ownerId: AccountId; readonly otherId: AccountId }

/** An event between two accounts, with what each of them may learn of it. */
export function relationshipChanged(event: Known<RelationshipEvent['type']>): Telling {
  const heard = heardOf(event)
  const shown = heard.flatMap((each) => (each.t === 'RELATIONSHIP_REMOVE' ? [] : [each.relationship]))
  return preparing(
    heard.map(({ t }) => t),
    {
      accounts: [...new Set(shown.flatMap(({ ownerId, otherId }) => [ownerId, otherId]))],
      prepare:
        ({ account }) =>
        (scene) =>
          heard.map((each) => dispatchOf(each, account, scene)),
    },
  )
}

function heardOf({ type, data }: Known<RelationshipEvent['type']>): readonly Heard[] {
  const { accountId: one, otherId: other } = data
  switch (type) {
    case 'FriendshipRequested': {
      const { requestedAt, shown } = data
      const asked = added(one, other, outgoingRequest, requestedAt)
      return shown ? [asked, added(other, one, incomingRequest, requestedAt)] : [asked]
    }
    case 'FriendshipFormed':
      return [formed(data, one, other), formed(data, other, one)]
    case 'AccountBlocked': {
      const blocking = added(one, other, blocked, data.blockedAt)
      return data.removedFromOther ? [blocking, removed(other, one)] : [blocking]
    }
    case 'FriendNicknameChanged': {
      const { relationship } = added(one, other, friend, data.since)
      return [{ t: 'RELATIONSHIP_UPDATE', relationship: { ...relationship, nickname: data.nickname } }]
    }
    case 'RelationshipRemoved':
      return data.removedFrom.map((owner) => removed(owner, owner === one ? other : one))
  }
}

function added(ownerId: AccountId, otherId: AccountId, type: RelationshipType, since: Timestamp) {
  return { t: 'RELATIONSHIP_ADD', relationship: { ownerId, otherId, type, since, nickname: null } } as const
}

/** A change for an account with a pending request; new for one without. */
function formed(data: Known<'FriendshipFormed'>['data'], owner: AccountId, other: AccountId): Heard {
  const heard = added(owner, other, friend, data.formedAt)
  return data.requestsOf.includes(owner) ? { ...heard, t: 'RELATIONSHIP_UPDATE' } : heard
}

function removed(ownerId: AccountId, otherId: AccountId): Heard {
  return { t: 'RELATIONSHIP_REMOVE', ownerId, otherId }
}

type AccountOf = Preparation['account']

function dispatchOf(heard: Heard, account: AccountOf, { sessionsOf }: Scene): Dispatch<Heard['t']> {
  const told = heard.t === 'RELATIONSHIP_REMOVE' ? heard : heard.relationship
  return {
    t: heard.t,
    guildId: null,
    audience: { kind: 'sessions', sessions: sessionsOf(told.ownerId) },
    body: same(heard.t === 'RELATIONSHIP_REMOVE' ? { id: heard.otherId } : shownTo(heard.relationship, account)),
  }
}

/** The object always says that the friend shares its voice activity. */
function shownTo(relationship: Relationship, account: AccountOf): object {
  const user = partialUserObject(account(relationship.otherId))
  return { ...relationshipObject(relationship, account(relationship.ownerId)), user }
}
