import fc from 'fast-check'
import type { DirectChannelCommand } from '../../direct-channel/commands.ts'
import type { PrivateChannelCommand } from '../../private-channel/commands.ts'
import { anybody, instants, oneOf, record } from '../drawing.ts'
import { accounts, ada, channel, grace } from '../people.ts'

/** Commands of private channels, drawn from a few values each, so that histories use the same values again. */

const oneOfTwo = fc.tuple(oneOf(ada, grace), fc.nat()).map(([accountId]) => accountId)

export const directChannelCommands: fc.Arbitrary<DirectChannelCommand> = fc.oneof(
  fc.tuple(oneOfTwo, oneOf(channel(1), channel(2)), instants).map(([accountId, channelId, now]) => ({
    type: 'OpenDirectChannel' as const,
    channelId,
    accountId,
    otherId: accountId === ada ? grace : ada,
    now,
  })),
  record({ type: oneOf('ShowDirectChannel'), accounts: fc.uniqueArray(anybody, { minLength: 1, maxLength: 2 }) }),
  record({ type: oneOf('HideDirectChannel'), accountId: anybody }),
)

/** The limit of recipients in the groups of these histories. */
export const recipients_max = 3

const nicks = fc.uniqueArray(record({ accountId: anybody, nick: oneOf(null, 'Boss', 'Chief') }), {
  selector: ({ accountId }) => accountId,
  maxLength: 2,
})

export const privateChannelCommands: fc.Arbitrary<PrivateChannelCommand> = fc.oneof(
  record({
    type: oneOf('CreateGroup'),
    channelId: oneOf(channel(1)),
    ownerId: oneOf(ada),
    others: fc.uniqueArray(oneOf(...accounts.filter((id) => id !== ada))),
    recipients_max: oneOf(recipients_max),
    now: instants,
  }),
  {
    weight: 4,
    arbitrary: record({
      type: oneOf('AddRecipient'),
      accountId: anybody,
      by: anybody,
      recipients_max: oneOf(recipients_max),
    }),
  },
  {
    weight: 3,
    arbitrary: record({
      type: oneOf('RemoveRecipient'),
      accountId: anybody,
      by: anybody,
      lot: fc.nat(9),
      silent: fc.boolean(),
    }),
  },
  record({ type: oneOf('NoteGroupMessagesRemoved') }),
  {
    weight: 2,
    arbitrary: fc.record(
      {
        type: oneOf('ChangeGroup' as const),
        by: anybody,
        name: oneOf(null, 'Engine room'),
        icon: oneOf(null, '0123456789abcdef0123456789abcdef'),
        ownerId: anybody,
        nicks,
        changeId: oneOf('one', 'two', 'three'),
      },
      { requiredKeys: ['type', 'by', 'changeId'], noNullPrototype: true },
    ),
  },
)
