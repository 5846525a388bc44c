import { describe, expect, it } from 'vitest'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { RelationshipCommand, RequestFriendship } from '../../../domain/relationship/commands.ts'
import type { RelationshipEvent } from '../../../domain/relationship/events.ts'
import { relationship } from '../../../domain/relationship/relationship.ts'
import { sideOf } from '../../../domain/relationship/state.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { ada, grace, start } from '../../../domain/testing/people.ts'
import { relationshipCommands } from '../../../domain/testing/commands/relationship-commands.ts'
import { laws } from '../../support/laws.ts'

laws('relationship', relationshipCommands)

const later = secondsAfter(start, 60)
const by = (accountId: AccountId) => ({ accountId, otherId: accountId === ada ? grace : ada })

const ask = (account: AccountId, as: RequestFriendship['as'] = 'asked'): RelationshipCommand => ({
  type: 'RequestFriendship',
  ...by(account),
  as,
  now: later,
})
const accept = (account: AccountId): RelationshipCommand => ({ type: 'AcceptFriendship', ...by(account), now: later })
const block = (account: AccountId): RelationshipCommand => ({ type: 'Block', ...by(account), now: later })
const name = (account: AccountId, nickname: string | null): RelationshipCommand => ({
  type: 'SetNickname',
  ...by(account),
  nickname,
})
const remove = (account: AccountId, what: 'own' | 'request' | 'everything' = 'own'): RelationshipCommand => ({
  type: 'RemoveRelationship',
  ...by(account),
  what,
})

const asked = (account: AccountId, shown = true, requestedAt = start): RelationshipEvent => ({
  type: 'FriendshipRequested',
  data: { ...by(account), requestedAt, shown },
})
const befriended = (account: AccountId, requestsOf = [account, by(account).otherId]): RelationshipEvent => ({
  type: 'FriendshipFormed',
  data: { ...by(account), formedAt: later, requestsOf },
})
const blocked = (account: AccountId, removedFromOther: boolean): RelationshipEvent => ({
  type: 'AccountBlocked',
  data: { ...by(account), blockedAt: later, removedFromOther },
})
const removed = (account: AccountId, ...removedFrom: readonly AccountId[]): RelationshipEvent => ({
  type: 'RelationshipRemoved',
  data: { ...by(account), removedFrom },
})
const named = (account: AccountId, nickname: string | null): RelationshipEvent => ({
  type: 'FriendNicknameChanged',
  data: { ...by(account), nickname, since: later },
})

describe('asking for a friendship', () => {
  it('gives the caller an outgoing request and the other an incoming one', () => {
    given(relationship, [])
      .when(ask(ada))
      .then(asked(ada, true, later))
    const { sides } = fold(relationship, [asked(ada)])
    expect(sides).toStrictEqual({
      [ada]: { kind: 'outgoing', since: start, nickname: null },
      [grace]: { kind: 'incoming', since: start, nickname: null },
    })
  })

  it('accepts a pending request of the other', () => {
    given(relationship, [asked(grace)])
      .when(ask(ada))
      .then(befriended(ada))
  })

  it('changes nothing where the other is a friend, or was asked', () => {
    given(relationship, [asked(ada)])
      .when(ask(ada))
      .changesNothing()
    given(relationship, [asked(ada), befriended(grace)])
      .when(ask(ada))
      .changesNothing()
  })

  it('is refused while either has blocked the other, each with its own code', () => {
    given(relationship, [blocked(ada, false)])
      .when(ask(ada))
      .refuses('CANNOT_SEND_FRIEND_REQUEST_TO_BLOCKED_USER')
    given(relationship, [blocked(grace, false)])
      .when(ask(ada))
      .refuses('FRIEND_REQUEST_BLOCKED')
    given(relationship, [blocked(ada, false), blocked(grace, false)])
      .when(ask(ada))
      .refuses('CANNOT_SEND_FRIEND_REQUEST_TO_BLOCKED_USER')
  })

  it('befriends at once an account that had sent a request, which was declined', () => {
    given(relationship, [asked(grace), removed(ada, ada)])
      .when(ask(ada))
      .then(befriended(ada, [grace]))
  })

  it('of a spammer shows the other nothing', () => {
    given(relationship, [])
      .when(ask(ada, 'hidden'))
      .then(asked(ada, false, later))
    expect(sideOf(fold(relationship, [asked(ada, false)]), grace)).toBeUndefined()
  })

  it('befriends a friendly bot at once', () => {
    given(relationship, []).when(ask(ada, 'befriended')).then(befriended(ada, []))
  })
})

describe('accepting', () => {
  it('makes both friends since the same moment', () => {
    given(relationship, [asked(grace)])
      .when(accept(ada))
      .then(befriended(ada))
    const { sides } = fold(relationship, [asked(grace), befriended(ada)])
    const friend = { kind: 'friend', since: later, nickname: null }
    expect(sides).toStrictEqual({ [ada]: friend, [grace]: friend })
  })

  it('needs a request of the other', () => {
    given(relationship, []).when(accept(ada)).refuses('UNKNOWN_USER')
    given(relationship, [asked(ada)])
      .when(accept(ada))
      .refuses('UNKNOWN_USER')
    given(relationship, [asked(grace), befriended(ada)])
      .when(accept(ada))
      .refuses('UNKNOWN_USER')
  })
})

describe('blocking', () => {
  it('removes a friend, and a request that was sent, from both', () => {
    given(relationship, [asked(ada), befriended(grace)])
      .when(block(ada))
      .then(blocked(ada, true))
    given(relationship, [asked(ada)])
      .when(block(ada))
      .then(blocked(ada, true))
    const { sides } = fold(relationship, [asked(ada), blocked(ada, true)])
    expect(sides).toStrictEqual({ [ada]: { kind: 'blocked', since: later, nickname: null } })
  })

  it('of who asked leaves their request as they see it', () => {
    given(relationship, [asked(grace)])
      .when(block(ada))
      .then(blocked(ada, false))
    const after = fold(relationship, [asked(grace), blocked(ada, false)])
    expect(sideOf(after, grace)?.kind).toBe('outgoing')
  })

  it('twice changes nothing, and one’s own account is no exception', () => {
    given(relationship, [blocked(ada, false)])
      .when(block(ada))
      .changesNothing()
    const own = { accountId: ada, otherId: ada }
    given(relationship, [])
      .when({ type: 'Block', ...own, now: later })
      .then({ type: 'AccountBlocked', data: { ...own, blockedAt: later, removedFromOther: false } })
  })
})

describe('naming a friend', () => {
  it('is for friends alone, and for oneself', () => {
    const friends = [asked(ada), befriended(grace)]
    given(relationship, friends).when(name(ada, 'Amazing')).then(named(ada, 'Amazing'))
    given(relationship, [...friends, named(ada, 'Amazing')])
      .when(name(ada, 'Amazing'))
      .changesNothing()
    expect(sideOf(fold(relationship, [...friends, named(ada, 'Amazing')]), grace)?.nickname).toBeNull()
    given(relationship, [asked(ada)])
      .when(name(ada, 'Amazing'))
      .refuses('UNKNOWN_USER')
  })
})

describe('removing', () => {
  it.each([
    ['a friend ends it on both sides', [asked(ada), befriended(grace)], [ada, grace]],
    ['a request that was sent takes it back on both sides', [asked(ada)], [ada, grace]],
    ['a request that came leaves the other’s', [asked(grace)], [ada]],
    ['a block leaves the other’s', [blocked(ada, false), blocked(grace, false)], [ada]],
    ['a request that was turned down ends it for who asked', [asked(ada), removed(grace, grace)], [ada]],
  ] as const)('%s', (_, before, removedFrom) => {
    given(relationship, before)
      .when(remove(ada))
      .then(removed(ada, ...removedFrom))
  })

  it('of nothing is refused', () => {
    given(relationship, []).when(remove(ada)).refuses('UNKNOWN_USER')
    given(relationship, [blocked(grace, false)])
      .when(remove(ada))
      .refuses('UNKNOWN_USER')
  })

  it('of a request leaves everything else as it is', () => {
    given(relationship, [asked(grace)])
      .when(remove(ada, 'request'))
      .then(removed(ada, ada))
    for (const before of [[], [asked(ada)], [asked(grace), befriended(ada)], [blocked(ada, false)]]) {
      given(relationship, before).when(remove(ada, 'request')).changesNothing()
    }
  })

  it('of everything removes what either has, once an account is erased', () => {
    given(relationship, [asked(ada), blocked(grace, true)])
      .when(remove(ada, 'everything'))
      .then(removed(ada, grace))
    given(relationship, []).when(remove(ada, 'everything')).changesNothing()
  })
})

describe('whatever happens between two', () => {
  const lives = histories(relationship, relationshipCommands)
  const kinds = (state: typeof relationship.initial) => [sideOf(state, ada)?.kind, sideOf(state, grace)?.kind] as const

  property('friends are friends on both sides, since the same moment', lives, ({ steps }) => {
    for (const { after } of steps) {
      const [one, other] = kinds(after)
      expect(one === 'friend').toBe(other === 'friend')
      if (one === 'friend') expect(sideOf(after, ada)?.since).toBe(sideOf(after, grace)?.since)
    }
  })

  property('a received request always belongs to a sent one', lives, ({ steps }) => {
    for (const { after } of steps) {
      const [one, other] = kinds(after)
      if (one === 'incoming') expect(other).toBe('outgoing')
      if (other === 'incoming') expect(one).toBe('outgoing')
    }
  })

  property('a block changes what the other has only by taking a friend or a request away', lives, ({ steps }) => {
    for (const { before, command, events, after } of steps) {
      if (command.type !== 'Block' || events.length === 0) continue
      const [was, is] = [sideOf(before, command.otherId), sideOf(after, command.otherId)]
      if (was?.kind === 'friend' || was?.kind === 'incoming') expect(is).toBeUndefined()
      else expect(is).toStrictEqual(was)
    }
  })

  property('friends alone have names for each other', lives, ({ steps }) => {
    for (const { after } of steps)
      for (const side of Object.values(after.sides)) if (side.kind !== 'friend') expect(side.nickname).toBeNull()
  })
})
