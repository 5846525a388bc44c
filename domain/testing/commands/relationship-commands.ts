import fc from 'fast-check'
import type { RelationshipCommand } from '../../relationship/commands.ts'
import { instants, oneOf, record } from '../drawing.ts'
import { ada, grace } from '../people.ts'

/** The actor and the other account: either of two, because a stream contains only what is between two accounts. */
const pair = oneOf({ accountId: ada, otherId: grace } as const, { accountId: grace, otherId: ada } as const)

export const relationshipCommands: fc.Arbitrary<RelationshipCommand> = pair.chain((between) => {
  const those = { accountId: oneOf(between.accountId), otherId: oneOf(between.otherId) }
  return fc.oneof(
    record({
      type: oneOf('RequestFriendship'),
      ...those,
      as: oneOf('asked', 'asked', 'hidden', 'befriended'),
      now: instants,
    }),
    record({ type: oneOf('AcceptFriendship'), ...those, now: instants }),
    record({ type: oneOf('Block'), ...those, now: instants }),
    record({ type: oneOf('SetNickname'), ...those, nickname: oneOf(null, 'Countess', 'Amazing') }),
    record({ type: oneOf('RemoveRelationship'), ...those, what: oneOf('own', 'own', 'request', 'everything') }),
    record({ type: oneOf('RemoveByKind'), ...those, kind: oneOf('friend', 'blocked', 'incoming', 'outgoing') }),
  )
})
