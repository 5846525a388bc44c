import { channelTypes, has, type Channel } from '../../../../domain/guild/channel.ts'
import { isUnavailable, type Guild } from '../../../../domain/guild/state.ts'
import { accountId, type ChannelId } from '../../../../domain/ids/ids.ts'
import { memberAtFirst } from '../../../../domain/membership/membership.ts'
import type { Membership } from '../../../../domain/membership/state.ts'
import { computePermissions, holds } from '../../../../domain/permissions/compute-permissions.ts'
import type { PermissionName } from '../../../../domain/permissions/permission-bits.ts'
import { threadTypes } from '../../../../domain/thread/state.ts'
import type { Caller, Requester } from '../../../caller.ts'
import { reject } from '../../../commands/refused.ts'
import { channelPlace, threadPlace } from '../../../conversations/messages/guild-places.ts'
import { requireMessagesEnabled } from '../../../conversations/messages/rules/require-may-send.ts'
import type { GuildTextChannel } from '../../../conversations/messages/text-places.ts'
import { withinActiveThreads } from '../../../conversations/threads/within-active-threads.ts'
import type { ThreadRecord } from '../../../ports/queries/thread-queries.ts'
import type { WebhookRecord } from '../../../ports/queries/webhook-queries.ts'
import type { Ports } from '../../../ports.ts'
import { deletedAccount } from '../../../wire-objects/identity/deleted-account.ts'
import { asWebhook } from './require-by-token.ts'
import { postAudience, requirePostable, sendingInPost, type WebhookPost } from './webhook-post.ts'

type Needs = Pick<Ports, 'aggregates' | 'messages' | 'queries' | 'readModels' | 'reservations'>

/** A webhook as it writes: like a bot, by the limits of its creator, in its channel or in a thread there. */
export interface WritingWebhook {
  readonly caller: Caller
  readonly place: GuildTextChannel
}

/**
 * Where it is to write: in a thread, or in a new post of its forum, if either is not undefined. `inForum`: what is refused where its
 * channel is a forum and neither is named.
 */
export interface WebhookTarget {
  readonly threadId: ChannelId | undefined
  readonly post?: WebhookPost | undefined
  readonly inForum: 'WEBHOOK_FORUM_TARGET_REQUIRED' | 'WEBHOOK_SERVICE_FORUM_UNSUPPORTED'
}

/**
 * Where a webhook writes, and as whom. Refuses in this order: 404 UNKNOWN_CHANNEL if the channel is gone, 403 MISSING_ACCESS while
 * its guild is unavailable, for a post as `requirePostable`, 404 UNKNOWN_CHANNEL for a thread that is not below its channel, for a forum
 * without a thread as the target says, and 403 FEATURE_TEMPORARILY_DISABLED while the guild has sending disabled (rules/webhooks#execute).
 */
export async function webhookPlace(
  ports: Needs,
  requester: Requester,
  webhook: WebhookRecord,
  { threadId, post, inForum }: WebhookTarget,
): Promise<WritingWebhook> {
  const found = await ports.queries.guilds.findByChannel(webhook.channelId, webhook.creatorId)
  const channel = found?.guild.channels.find(({ id }) => id === webhook.channelId)
  if (!found || !channel) return reject('UNKNOWN_CHANNEL')
  const { guild, member: creator, memberCount } = found
  if (isUnavailable(guild, false)) return reject('MISSING_ACCESS')
  if (post) requirePostable(channel.type, threadId)
  const thread = threadId === undefined ? undefined : await threadBelow(ports, channel, threadId)
  if (!thread && !post && !has(channel.type, 'messages'))
    reject(channel.type === channelTypes.forum ? inForum : 'UNKNOWN_CHANNEL')
  const caller = await webhookCaller(ports, requester, webhook)
  const member = asMember(guild, caller)
  const actor = { accountId: caller.account.id, roles: [], hasAuthenticator: false }
  const can = permissionsOf(guild, channel, creator ?? undefined)
  const inGuild = { guild, member, memberCount, actor, can }
  const access = { ...inGuild, channel, overwrites: channel.overwrites, inGuild }
  const audience = thread ? await threadPlace(ports, thread) : channelPlace(guild, channel)
  const place: GuildTextChannel = {
    ...(post ? postAudience(access, post) : audience),
    kind: 'guild',
    guildId: guild.id,
    slowMode_s: 0,
    can,
    sending: post ? sendingInPost(ports, caller, access, post) : thread ? inThread(ports, caller, thread) : {},
    access,
  }
  requireMessagesEnabled(place)
  return { caller, place }
}

async function threadBelow({ queries }: Needs, channel: Channel, id: ChannelId): Promise<ThreadRecord> {
  const thread = await queries.threads.find(id)
  const isBelow = thread?.parentId === channel.id && thread.threadType !== threadTypes.private
  return isBelow ? thread : reject('UNKNOWN_CHANNEL')
}

/** The webhook as a caller: a bot of the webhook's id that has the limits of the creator. */
async function webhookCaller(
  { queries }: Pick<Ports, 'queries'>,
  requester: Requester,
  { id, creatorId }: WebhookRecord,
): Promise<Caller> {
  const creator = (await queries.accounts.find(creatorId)) ?? deletedAccount(creatorId)
  const account = { ...creator, id: accountId(id), bot: true }
  return { ...asWebhook(requester, id), account, credential: { kind: 'bot' } }
}

function asMember({ id: guildId }: Guild, { account, context }: Caller): Membership {
  const admission = { by: 'founding' } as const
  return memberAtFirst({ guildId, accountId: account.id, joinedAt: context.now, temporary: false, admission })
}

/** What every webhook may, whoever made it. */
const ofEveryWebhook: ReadonlySet<PermissionName> = new Set<PermissionName>([
  'VIEW_CHANNEL',
  'SEND_MESSAGES',
  'READ_MESSAGE_HISTORY',
  'EMBED_LINKS',
])

/**
 * A webhook may write, and embed. To attach files and to mention everyone and every role, its creator must still be a member who may do
 * so there, and who still sees the channel and writes in it: a webhook lends nobody what its creator lacks.
 */
function permissionsOf(guild: Guild, { overwrites }: Channel, creator: Membership | undefined) {
  const mask = creator ? computePermissions(guild, creator, overwrites) : 0n
  return (permission: PermissionName): boolean =>
    ofEveryWebhook.has(permission) || holds(mask, permission, 'VIEW_CHANNEL', 'SEND_MESSAGES')
}

/** Writing in a thread brings it back from the archive. Refuses a locked one with THREAD_LOCKED. */
function inThread(ports: Needs, { context }: Caller, thread: ThreadRecord): GuildTextChannel['sending'] {
  const { threadId, guildId } = thread
  return {
    check: async () => {
      if (thread.locked) reject('THREAD_LOCKED')
    },
    before: async () => {
      if (!thread.archived) return
      const command = {
        type: 'ChangeThread',
        asModerator: true,
        changes: { archived: false },
        now: context.now,
      } as const
      await withinActiveThreads(ports, guildId, context, () =>
        ports.aggregates.thread.execute(threadId, command, context),
      )
    },
  }
}
