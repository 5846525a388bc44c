import { channelTypes, type ChannelType } from '../../../domain/guild/channel.ts'
import type { ChannelId, WebhookId } from '../../../domain/ids/ids.ts'
import { lacking, refusalOf } from '../../../domain/permissions/authority.ts'
import { computePermissions, holds } from '../../../domain/permissions/compute-permissions.ts'
import { requireChannel, requirePermission, type ChannelAccess, type GuildAccess } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { WebhookRecord } from '../../ports/queries/webhook-queries.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'queries'>

/** The kinds of channels that can have webhooks. */
const withWebhooks: ReadonlySet<ChannelType> = new Set([
  channelTypes.text,
  channelTypes.voice,
  channelTypes.announcement,
  channelTypes.forum,
])

/**
 * A channel whose webhooks the caller manages. Refuses as `requireChannel` does, with 403 MISSING_PERMISSIONS where the caller does
 * not see it, with 404 UNKNOWN_CHANNEL for a kind without webhooks, and as `requirePermission` for MANAGE_WEBHOOKS in the guild and in
 * the channel (rules/webhooks#manage).
 */
export async function requireWebhookChannel(ports: Needs, caller: Caller, id: ChannelId): Promise<ChannelAccess> {
  const access = await requireChannel(ports, caller, id)
  if (!access.can('VIEW_CHANNEL')) reject(lacking('VIEW_CHANNEL'))
  if (!withWebhooks.has(access.channel.type)) return reject('UNKNOWN_CHANNEL')
  requirePermission(access.inGuild, 'MANAGE_WEBHOOKS')
  requirePermission(access, 'MANAGE_WEBHOOKS')
  return access
}

/** A webhook that the caller manages. Refuses with 404 UNKNOWN_WEBHOOK, then as `requireWebhookChannel`. */
export async function requireWebhook(
  ports: Needs,
  caller: Caller,
  id: WebhookId,
): Promise<{ readonly webhook: WebhookRecord; readonly access: ChannelAccess }> {
  const webhook = (await ports.queries.webhooks.find(id)) ?? reject('UNKNOWN_WEBHOOK')
  return { webhook, access: await requireWebhookChannel(ports, caller, webhook.channelId) }
}

/** Whether a member who manages webhooks in the guild does so in one of its channels, and sees it. */
export function managesIn({ guild, member, actor }: GuildAccess, channelId: ChannelId): boolean {
  const overwrites = guild.channels.find(({ id }) => id === channelId)?.overwrites
  return (
    overwrites !== undefined &&
    holds(computePermissions(guild, member, overwrites), 'VIEW_CHANNEL') &&
    refusalOf(guild, actor, 'MANAGE_WEBHOOKS', overwrites) === undefined
  )
}
