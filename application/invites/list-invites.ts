import type { Guild } from '../../domain/guild/state.js'
import type { ChannelId, GuildId } from '../../domain/ids/ids.js'
import { requireChannel, requireGuild, requirePermission } from '../access/guild-access.js'
import { requireAge } from '../access/require-age.js'
import type { Caller } from '../caller.js'
import { reject } from '../commands/refused.js'
import { inviteMetadataObject, type InviteMetadataObject } from '../objects/invite-objects.js'
import type { InviteRecord } from '../ports/queries/invite-queries.js'
import type { Ports } from '../ports.js'

type Needs = Pick<Ports, 'queries' | 'presence'>

/**
 * The invites to a guild channel, newest first. Refuses with UNKNOWN_CHANNEL, MISSING_ACCESS, MISSING_PERMISSIONS,
 * TWO_FACTOR_REQUIRED, NSFW_CONTENT_AGE_RESTRICTED. Contract: part 1, List channel invites.
 */
export function listChannelInvites(ports: Needs) {
  return async (caller: Caller, channelId: ChannelId): Promise<readonly InviteMetadataObject[]> => {
    const access = await requireChannel(ports, caller, channelId)
    if (!access.can('VIEW_CHANNEL')) reject('MISSING_ACCESS')
    requirePermission(access.inGuild, 'MANAGE_CHANNELS')
    requireAge(access.guild, access.channel, caller)
    return objects(ports, access, await ports.queries.invites.ofChannel(channelId, caller.context.now))
  }
}

/**
 * The invites to all channels of a guild, newest first. Refuses with UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS,
 * TWO_FACTOR_REQUIRED. Contract: part 1, List guild invites.
 */
export function listGuildInvites(ports: Needs) {
  return async (caller: Caller, guildId: GuildId): Promise<readonly InviteMetadataObject[]> => {
    const access = await requireGuild(ports, caller, guildId)
    requirePermission(access, 'MANAGE_GUILD')
    return objects(ports, access, await ports.queries.invites.ofGuild(guildId, caller.context.now))
  }
}

/** One whose channel is gone leads nowhere, and is left out. */
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
  return invites.flatMap((invite) => {
    const channel = channels.get(invite.channelId)
    const inviter = inviters.get(invite.inviterId) ?? null
    return channel ? [inviteMetadataObject({ invite, guild, channel, inviter, memberCount, presenceCount })] : []
  })
}
