import { describe, expect, it } from 'vitest'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import type { RelationshipCommand } from '../../../domain/relationship/commands.ts'
import type { RelationshipEvent } from '../../../domain/relationship/events.ts'
import { relationship } from '../../../domain/relationship/relationship.ts'
import { sideOf } from '../../../domain/relationship/state.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { ada, grace, start } from '../../../domain/testing/people.ts'
import { relationshipCommands } from '../../../domain/testing/commands/relationship-commands.ts'

const later = secondsAfter(start, 60)
const kinds = ['friend', 'incoming', 'outgoing', 'blocked'] as const
const by = (accountId: AccountId) => ({ accountId, otherId: accountId === ada ? grace : ada })

const remove = (kind: (typeof kinds)[number]): RelationshipCommand => ({ type: 'RemoveByKind', ...by(ada), kind })
const removed = (...removedFrom: readonly AccountId[]): RelationshipEvent => ({
  type: 'RelationshipRemoved',
  data: { ...by(ada), removedFrom },
})
const asked = (account: AccountId, shown = true): RelationshipEvent => ({
  type: 'FriendshipRequested',
  data: { ...by(account), requestedAt: start, shown },
})
const befriended: RelationshipEvent = {
  type: 'FriendshipFormed',
  data: { ...by(grace), formedAt: later, requestsOf: [ada, grace] },
}
const blocked = (account: AccountId): RelationshipEvent => ({
  type: 'AccountBlocked',
  data: { ...by(account), blockedAt: later, removedFromOther: false },
})
const ignored: RelationshipEvent = { type: 'RelationshipRemoved', data: { ...by(grace), removedFrom: [grace] } }

describe('removing by kind, as an administrator does', () => {
  it.each([
    ['a friendship ends on both sides', 'friend', [asked(ada), befriended], [ada, grace]],
    ['a request that was sent ends on both sides', 'outgoing', [asked(ada)], [ada, grace]],
    ['a request that came ends on both sides', 'incoming', [asked(grace)], [grace, ada]],
    ['a request that the other never saw ends for its sender', 'outgoing', [asked(ada, false)], [ada]],
    ['a request that the other ignored ends for its sender', 'outgoing', [asked(ada), ignored], [ada]],
    ['a request to who blocked its sender leaves the block', 'outgoing', [asked(ada), blocked(grace)], [ada]],
    ['a block ends on its side alone', 'blocked', [blocked(ada), blocked(grace)], [ada]],
    ['a block leaves the request of who is blocked', 'blocked', [asked(grace), blocked(ada)], [ada]],
  ] as const)('%s', (_, kind, before, removedFrom) => {
    given(relationship, before)
      .when(remove(kind))
      .then(removed(...removedFrom))
    for (const other of kinds.filter((each) => each !== kind))
      given(relationship, before).when(remove(other)).changesNothing()
  })

  it('changes nothing between strangers, or where the other alone has something', () => {
    for (const kind of kinds) {
      given(relationship, []).when(remove(kind)).changesNothing()
      given(relationship, [blocked(grace)])
        .when(remove(kind))
        .changesNothing()
    }
  })

  it('takes a block of one’s own account', () => {
    const own = { accountId: ada, otherId: ada }
    given(relationship, [{ type: 'AccountBlocked', data: { ...own, blockedAt: later, removedFromOther: false } }])
      .when({ type: 'RemoveByKind', ...own, kind: 'blocked' })
      .then({ type: 'RelationshipRemoved', data: { ...own, removedFrom: [ada] } })
  })

  const lives = histories(relationship, relationshipCommands)
  property('leaves nothing of its kind, and every block of the other', lives, ({ steps }) => {
    for (const { before, command, after } of steps) {
      if (command.type !== 'RemoveByKind') continue
      const { accountId, otherId, kind } = command
      expect(sideOf(after, accountId)?.kind).not.toBe(kind)
      const others = sideOf(before, otherId)
      if (others?.kind === 'blocked') expect(sideOf(after, otherId)).toStrictEqual(others)
    }
  })
})
