import { lacking } from '../../../domain/permissions/authority.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import type { ChannelId, GuildId } from '../../../domain/ids/ids.ts'
import { findChannel, requireGuild, requirePermission } from '../../access/guild-access.ts'
import { requirePrivateChannel } from '../../access/private-channel-access.ts'
import { requireAge } from '../../access/require-age.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import {
  groupInviteMetadataObject,
  inviteMetadataObject,
  type InviteMetadataObject,
} from '../../wire-objects/communities/invite-objects.ts'
import type { InviteRecord } from '../../ports/queries/invite-queries.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'queries' | 'presence'>

/**
 * The invites to a guild channel, or to a group for its owner, newest first. Refuses with UNKNOWN_CHANNEL, MISSING_ACCESS, MISSING_PERMISSIONS,
 * TWO_FACTOR_REQUIRED, NSFW_CONTENT_AGE_RESTRICTED (rules/invites#list).
 */
export function listChannelInvites(ports: Needs) {
  return async (caller: Caller, channelId: ChannelId): Promise<readonly InviteMetadataObject[]> => {
    const access = await findChannel(ports, caller, channelId)
    if (!access) return listGroupInvites(ports, caller, channelId)
    if (!access.can('VIEW_CHANNEL')) reject('MISSING_ACCESS')
    requirePermission(access.inGuild, 'MANAGE_CHANNELS')
    requireAge(access.guild, access.channel, caller)
    return objects(ports, access, await ports.queries.invites.ofChannel(channelId, caller.context.now))
  }
}

/**
 * Refuses with UNKNOWN_CHANNEL for callers who are not recipients and for private channels other than groups, and with
 * MISSING_PERMISSIONS for recipients other than the owner.
 */
async function listGroupInvites(
  ports: Needs,
  caller: Caller,
  channelId: ChannelId,
): Promise<readonly InviteMetadataObject[]> {
  const channel = await requirePrivateChannel(ports, caller, channelId)
  if (channel.kind !== 'group') return reject('UNKNOWN_CHANNEL')
  if (channel.ownerId !== caller.account.id) return reject(lacking('ownership'))
  const { accounts, invites } = ports.queries
  const found = await invites.ofPrivateChannel(channelId, caller.context.now)
  const ids = new Set([...channel.recipients, ...found.map(({ inviterId }) => inviterId)])
  const byId = new Map((await accounts.findMany([...ids])).map((account) => [account.id, account]))
  const recipients = channel.recipients.flatMap((id) => byId.get(id) ?? [])
  return found.map((invite) =>
    groupInviteMetadataObject({ invite, channel, recipients, inviter: byId.get(invite.inviterId) ?? null }),
  )
}

/**
 * The invites to all channels of a guild, newest first. Refuses with UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS,
 * TWO_FACTOR_REQUIRED (rules/invites#list).
 */
export function listGuildInvites(ports: Needs) {
  return async (caller: Caller, guildId: GuildId): Promise<readonly InviteMetadataObject[]> => {
    const access = await requireGuild(ports, caller, guildId)
    requirePermission(access, 'MANAGE_GUILD')
    return objects(ports, access, await ports.queries.invites.ofGuild(guildId, caller.context.now))
  }
}

/**
 * An invite whose channel was deleted still admits. It is listed without the channel, so that moderators can find and delete it.
 */
async function objects(
  { queries, presence }: Needs,
  { guild, memberCount }: { readonly guild: Guild; readonly memberCount: number },
  invites: readonly InviteRecord[],
): Promise<readonly InviteMetadataObject[]> {
  const [accounts, online] = await Promise.all([
    queries.accounts.findMany([...new Set(invites.map(({ inviterId }) => inviterId))]),
    presence.onlineCounts([guild.id]),
  ])
  const inviters = new Map(accounts.map((account) => [account.id, account]))
  const channels = new Map(guild.channels.map((channel) => [channel.id, channel]))
  const presenceCount = online.get(guild.id) ?? 0
  return invites.map((invite) => {
    const channel = channels.get(invite.channelId)
    const inviter = inviters.get(invite.inviterId) ?? null
    return inviteMetadataObject({ invite, guild, channel, inviter, memberCount, presenceCount })
  })
}
