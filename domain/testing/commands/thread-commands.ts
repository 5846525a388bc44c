import fc from 'fast-check'
import { channelId, messageId } from '../../ids/ids.ts'
import { snowflake } from '../../ids/snowflake.ts'
import type { ThreadCommand } from '../../thread/commands.ts'
import { autoArchiveDurations, threadTypes } from '../../thread/state.ts'
import { anybody, instants, oneOf, record } from '../drawing.ts'
import { general, home } from '../people.ts'

export const chatter = channelId(snowflake('600001'))

const names = oneOf('Chatter', 'Plans')
const place = {
  threadId: oneOf(chatter),
  guildId: oneOf(home),
  parentId: oneOf(general),
  threadType: oneOf(threadTypes.public, threadTypes.private),
}

/** Commands to one thread, which mostly exists. */
export const threadCommands: fc.Arbitrary<ThreadCommand> = fc.oneof(
  {
    weight: 3,
    arbitrary: record({
      type: oneOf('StartThread'),
      byWebhook: fc.boolean(),
      thread: record({
        ...place,
        ownerId: anybody,
        starterId: oneOf(null, messageId(snowflake('600001'))),
        name: names,
        autoArchiveDuration: oneOf(...autoArchiveDurations),
        rateLimitPerUser: oneOf(0, 5),
        invitable: oneOf(null, true, false),
        flags: oneOf(0),
        appliedTags: oneOf<string[]>([]),
        createdAt: instants,
      }),
    }),
  },
  {
    weight: 4,
    arbitrary: record({
      type: oneOf('ChangeThread'),
      asModerator: fc.boolean(),
      changes: fc.record(
        { name: names, archived: fc.boolean(), locked: fc.boolean(), rateLimitPerUser: oneOf(0, 5) },
        { requiredKeys: [], noNullPrototype: true },
      ),
      now: instants,
    }),
  },
  record({ type: oneOf('TakeMessage'), by: anybody, asModerator: fc.boolean(), now: instants }),
  record({ type: oneOf('ArchiveIdleThread'), lastMessageAt: fc.option(instants), now: instants }),
  record({
    type: oneOf('AddThreadMember'),
    accountId: anybody,
    by: anybody,
    asModerator: fc.boolean(),
    now: instants,
  }),
  record({ type: oneOf('RemoveThreadMember'), accountId: anybody, by: anybody }),
  record({ type: oneOf('EndThreadMembership'), accountId: anybody, joinedAt: instants }),
  record({
    type: oneOf('ChangeThreadMemberSettings'),
    accountId: anybody,
    changes: fc.record(
      {
        flags: oneOf(0, 2, 4, 8),
        muted: fc.boolean(),
        muteConfig: oneOf(null, { endTime: null, selectedTimeWindow: 60 }),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  }),
  { weight: 1, arbitrary: record({ type: oneOf('DeleteThread'), because: oneOf('asked', 'parent_deleted') }) },
)
