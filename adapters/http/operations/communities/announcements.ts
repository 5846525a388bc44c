import { z } from 'zod'
import { crosspostMessage } from '../../../../application/communities/announcements/crosspost-message.ts'
import { readCrosspostSource } from '../../../../application/communities/announcements/crosspost-source.ts'
import { followChannel } from '../../../../application/communities/announcements/follow-channel.ts'
import { readFollowerStats } from '../../../../application/communities/announcements/follower-stats.ts'
import {
  crosspostSourceSchema,
  followedChannelSchema,
  followerStatsSchema,
} from '../../../../application/wire-objects/communities/announcement-objects.ts'
import { messageSchema } from '../../../../application/wire-objects/conversations/message-objects.ts'
import { perUserAnd } from '../../bucket.ts'
import { accounts } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { channelIdInput, messageIdInput } from '../../schemas/scalars.ts'
import { ofChannel } from '../refusals-of-access.ts'

const channelParams = z.object({ channel_id: channelIdInput })

const crosspostOperation = operation({
  name: 'Crosspost message',
  description: 'Publishes a message of an announcement channel: channels that follow it get a copy.',
  route: 'POST /v1/channels/:channel_id/messages/:message_id/crosspost',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('channel:message:crosspost::channel_id', 'channel_id', { requests: 5, seconds: 5 }),
  params: z.object({ channel_id: channelIdInput, message_id: messageIdInput }),
  replies: { 200: messageSchema },
  refuses: [
    ...ofChannel,
    'ANNOUNCEMENT_CHANNEL_REQUIRED',
    'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL',
    'COMMUNICATION_DISABLED',
    'CONTENT_BLOCKED',
    'FEATURE_TEMPORARILY_DISABLED',
    'MESSAGE_ALREADY_CROSSPOSTED',
    'MESSAGE_CROSSPOST_RATE_LIMITED',
    'MESSAGE_NOT_CROSSPOSTABLE',
    'RESOURCE_LOCKED',
    'UNKNOWN_MESSAGE',
  ],
  useCase: crosspostMessage,
  handle: ({ caller, params }, run) => run(caller, params.channel_id, params.message_id),
})

const sourceOperation = operation({
  name: 'Get crosspost source',
  description: 'The guild that a copy of a published message comes from.',
  route: 'GET /v1/channels/:channel_id/messages/:message_id/crosspost-source',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('channel:message:crosspost_source::channel_id', 'channel_id', { requests: 20, seconds: 10 }),
  params: z.object({ channel_id: channelIdInput, message_id: messageIdInput }),
  replies: { 200: crosspostSourceSchema },
  refuses: [...ofChannel, 'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL', 'UNKNOWN_GUILD', 'UNKNOWN_MESSAGE'],
  useCase: readCrosspostSource,
  handle: ({ caller, params }, run) => run(caller, params.channel_id, params.message_id),
})

const followOperation = operation({
  name: 'Follow announcement channel',
  description: 'Has a text channel follow an announcement channel.',
  route: 'POST /v1/channels/:channel_id/followers',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('channel:follow::channel_id', 'channel_id', { requests: 5, seconds: 10 }),
  params: channelParams,
  body: z.object({ webhook_channel_id: channelIdInput.describe('The channel that is to follow.') }),
  keepsNoText: true,
  replies: { 200: followedChannelSchema },
  refuses: [
    ...ofChannel,
    'ACCOUNT_LIMITED',
    'ANNOUNCEMENT_CHANNEL_REQUIRED',
    'CHANNEL_ALREADY_FOLLOWED',
    'CONTENT_BLOCKED',
    'FEATURE_TEMPORARILY_DISABLED',
    'FOLLOW_TARGET_CONTENT_WARNING_REQUIRED',
    'FOLLOW_TARGET_NOT_AGE_RESTRICTED',
    'INVALID_FOLLOW_TARGET_CHANNEL',
    'MAX_WEBHOOKS_PER_CHANNEL',
    'MAX_WEBHOOKS_PER_GUILD',
    'RESOURCE_LOCKED',
  ],
  useCase: followChannel,
  handle: ({ caller, params, body }, run) => run(caller, params.channel_id, body.webhook_channel_id),
})

const statsOperation = operation({
  name: 'Get follower stats',
  description: 'How many channels, in how many guilds, follow an announcement channel.',
  route: 'GET /v1/channels/:channel_id/follower-stats',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('channel:follower_stats::channel_id', 'channel_id', { requests: 10, seconds: 10 }),
  params: channelParams,
  replies: { 200: followerStatsSchema },
  refuses: ['ANNOUNCEMENT_CHANNEL_REQUIRED', 'MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_CHANNEL'],
  useCase: readFollowerStats,
  handle: ({ caller, params }, run) => run(caller, params.channel_id),
})

/** Announcement channels: what is published there, and who follows. */
export const announcementOperations: readonly Operation[] = [
  crosspostOperation,
  sourceOperation,
  followOperation,
  statsOperation,
]
