import { channelTypes } from '../../../domain/guild/channel.ts'
import { messageId, webhookId, type ChannelId } from '../../../domain/ids/ids.ts'
import { messageTypes } from '../../../domain/messages/message-types.ts'
import { lacking } from '../../../domain/permissions/authority.ts'
import { webhookKinds } from '../../../domain/webhook/events.ts'
import { requireUnlimited } from '../../access/account-standing.ts'
import { requireChannel, requirePermission, type ChannelAccess } from '../../access/guild-access.ts'
import { requireAge } from '../../access/require-age.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { channelPlace } from '../../conversations/messages/guild-places.ts'
import { postSystemMessage } from '../../conversations/messages/system/post-system-message.ts'
import type { Ports } from '../../ports.ts'
import type { FollowedChannelObject } from '../../wire-objects/communities/announcement-objects.ts'
import { withinWebhooks } from '../webhooks/within-webhooks.ts'
import { requireAnnouncements, requireAnnouncementsEnabled } from './announcement-channel.ts'
import { misfitOf } from './fitting-target.ts'
import { iconOf } from './follower-image.ts'

type Needs = Pick<
  Ports,
  'aggregates' | 'contentFilter' | 'images' | 'limits' | 'messages' | 'queries' | 'readModels' | 'reservations'
>

const name_chars_max = 80

/**
 * Has a text channel follow an announcement channel: from now on the messages that are published there are copied into it, by a
 * webhook of its own. The order of refusals: rules/webhooks#follow.
 */
export function followChannel(ports: Needs) {
  return async (caller: Caller, sourceId: ChannelId, targetId: ChannelId): Promise<FollowedChannelObject> => {
    requireUnlimited(caller)
    const source = await requireSeen(ports, caller, sourceId)
    requireAge(source.guild, source.channel, caller)
    requireAnnouncements(source.channel)
    requireAnnouncementsEnabled(source.guild)
    const target = await requireSeen(ports, caller, targetId)
    if (target.channel.type !== channelTypes.text) reject('INVALID_FOLLOW_TARGET_CHANNEL')
    requirePermission(target.inGuild, 'MANAGE_WEBHOOKS')
    requirePermission(target, 'MANAGE_WEBHOOKS')
    const misfit = misfitOf(source, target)
    if (misfit) reject(misfit)
    const once = {
      key: `following of ${sourceId} in ${targetId}`,
      limit: 1,
      count: async () =>
        (await ports.queries.webhooks.ofChannel(targetId)).filter((each) => each.source?.channelId === sourceId).length,
      refuse: () => reject('CHANNEL_ALREADY_FOLLOWED'),
    }
    return ports.reservations.within([once], () =>
      withinWebhooks(ports, target.guild, targetId, () => follow(ports, caller, source, target)),
    )
  }
}

async function requireSeen(ports: Needs, caller: Caller, id: ChannelId): Promise<ChannelAccess> {
  const access = await requireChannel(ports, caller, id)
  return access.can('VIEW_CHANNEL') ? access : reject(lacking('VIEW_CHANNEL'))
}

/** The first name that may be said: of guild and channel, or of the channel alone. Refuses with 403 CONTENT_BLOCKED. */
function nameOf({ contentFilter }: Needs, { guild, channel }: ChannelAccess): string {
  const names = [`${guild.name} #${channel.name}`, `#${channel.name}`].map((name) =>
    Array.from(name).slice(0, name_chars_max).join(''),
  )
  return names.find((text) => !contentFilter.blocks([{ text, scope: null }])) ?? reject('CONTENT_BLOCKED')
}

async function follow(
  ports: Needs,
  { account, context }: Caller,
  source: ChannelAccess,
  target: ChannelAccess,
): Promise<FollowedChannelObject> {
  const id = webhookId(context.newId())
  const [guildId, channelId] = [source.guild.id, source.channel.id]
  const name = nameOf(ports, source)
  const webhook = {
    webhookId: id,
    guildId: target.guild.id,
    channelId: target.channel.id,
    name,
    avatar: await iconOf(ports, source.guild, id),
    creatorId: account.id,
    kind: webhookKinds.follower,
    source: { guildId, channelId },
    token: null,
  } as const
  await ports.aggregates.webhook.execute(id, { type: 'CreateWebhook', webhook }, context)
  await ports.readModels.reached(context.written)
  const place = { ...channelPlace(target.guild, target.channel), after: context.written }
  // No message is named: the objects of such messages leave the id out.
  const reference = { channelId, messageId: messageId(channelId), guildId }
  const said = { type: messageTypes.channelFollowAdd, authorId: account.id, content: name, reference } as const
  await postSystemMessage(ports, place, said, context.now)
  return { channel_id: channelId, webhook_id: id }
}
