import fc from 'fast-check'
import { channelTypes } from '../../guild/channel.ts'
import type { ChannelCommand, ChannelWishes } from '../../guild/channel-commands.ts'
import { permissionBits } from '../../permissions/permission-bits.ts'
import { oneOf, record } from '../drawing.ts'
import { accounts, channel, channels, layout, role, roles } from '../people.ts'

/** Commands about channels, drawn from a few channels, so that histories use the same ones again. */

export const someChannel = oneOf(...Object.values(layout), ...[11, 12, 13, 14, 15].map(channel))
const anyParent = oneOf(null, layout.textCategory, layout.voiceCategory, channel(11), channel(12), channel(99))
const types = oneOf(...Object.values(channelTypes), channelTypes.category, channelTypes.text, channelTypes.voice)
const bits = oneOf(0n, permissionBits.VIEW_CHANNEL, permissionBits.SEND_MESSAGES | permissionBits.MANAGE_THREADS)

const overwrite = record({ id: oneOf(...roles), type: oneOf(0 as const), allow: bits, deny: bits })
const ofMember = record({ id: oneOf(...accounts), type: oneOf(1 as const), allow: bits, deny: bits })
const overwrites = fc.array(fc.oneof(overwrite, ofMember), { maxLength: 3 })
const undeclaredBits = oneOf(0n, permissionBits.MANAGE_THREADS)

/** The owner, and others with roles that may or may not manage channels. */
const actors = record({
  accountId: oneOf(...accounts),
  roles: fc.subarray([role(1), role(2)]),
  hasAuthenticator: fc.boolean(),
})

const viewer = record({ threadAccess: fc.boolean() })
const limits = record({ channels_max: oneOf(7, 8), channelsPerCategory_max: oneOf(2, 3) })

const some: { readonly [Member in keyof ChannelWishes]-?: fc.Arbitrary<NonNullable<ChannelWishes[Member]> | null> } = {
  type: types,
  name: oneOf('News', 'a b', '!!!', 'ÄÖ'),
  topic: oneOf(null, 'Anything'),
  url: oneOf(null, 'https://example.org'),
  parentId: anyParent,
  nsfw: fc.boolean(),
  nsfwOverride: oneOf(null, true, false),
  contentWarningLevel: oneOf(0, 1),
  contentWarningText: oneOf(null, 'Loud'),
  rateLimitPerUser: oneOf(0, 5),
  bitrate: oneOf(8000, 128_000, 320_000),
  userLimit: oneOf(0, 99),
  voiceConnectionLimit: oneOf(1, 100),
  rtcRegion: oneOf(null, 'europe'),
  rtcP2p: fc.boolean(),
  autoArchiveDuration: oneOf(60, 1440),
  threadRateLimitPerUser: oneOf(0, 5),
  flags: oneOf(0, 16, 17),
  availableTags: fc.constant([]),
  defaultReactionEmoji: fc.constant(null),
  defaultSortOrder: oneOf(null, 0, 1),
  defaultForumLayout: oneOf(0, 1, 2),
  defaultTagSetting: oneOf(null, 'match_some' as const, 'match_all' as const),
  overwrites,
}

const wishes = fc.record(some, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<ChannelWishes>

const moves = fc.array(
  record({
    channelId: someChannel,
    position: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
    parentId: fc.oneof(fc.constant(undefined), anyParent),
    precedingSiblingId: fc.oneof(fc.constant(undefined), fc.constant(null), someChannel),
    lockPermissions: fc.boolean(),
  }),
  { maxLength: 3 },
)

export const channelCommands: fc.Arbitrary<ChannelCommand> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(wishes, types, actors, viewer, oneOf(...[11, 12, 13, 14, 15].map(channel)), limits, undeclaredBits)
      .map(([given, type, by, seen, channelId, max, undeclared]): ChannelCommand => ({
        type: 'CreateChannel',
        by,
        viewer: seen,
        channelId,
        wishes: { ...given, type, name: given.name ?? 'talk' },
        limits: max,
        undeclaredBits: undeclared,
      })),
  },
  {
    weight: 3,
    arbitrary: record({
      type: oneOf('ChangeChannel'),
      by: actors,
      viewer,
      channelId: someChannel,
      wishes,
      limits,
      undeclaredBits,
    }),
  },
  { weight: 1, arbitrary: record({ type: oneOf('DeleteChannel'), by: actors, channelId: someChannel }) },
  { weight: 4, arbitrary: record({ type: oneOf('ReorderChannels'), by: actors, viewer, moves, limits }) },
  {
    weight: 3,
    arbitrary: record({
      type: oneOf('SetOverwrite'),
      by: actors,
      channelId: someChannel,
      overwrite: fc.oneof(overwrite, ofMember),
      undeclaredBits,
    }),
  },
  {
    weight: 1,
    arbitrary: record({
      type: oneOf('RemoveOverwrite'),
      by: actors,
      channelId: someChannel,
      overwriteId: oneOf(...roles, ...accounts),
    }),
  },
  {
    weight: 1,
    arbitrary: record({
      type: oneOf('NoteMessagesRemoved'),
      channelIds: fc.subarray([...channels, channel(11)], { minLength: 1 }),
      ofGuild: fc.boolean(),
    }),
  },
)
