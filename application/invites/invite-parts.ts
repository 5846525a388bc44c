import type { InviteParts } from '../objects/invite-objects.js'
import type { AccountRecord } from '../ports/queries/account-queries.js'
import type { InviteRecord } from '../ports/queries/invite-queries.js'
import type { Ports } from '../ports.js'
import type { ChannelAccess } from '../access/guild-access.js'

type Needs = Pick<Ports, 'queries' | 'presence'>

/**
 * What the object of an invite to a channel is made of, for a caller who has reached that channel already. The inviter is
 * looked up where it is not at hand.
 */
export async function invitePartsIn(
  { queries, presence }: Needs,
  { guild, channel, memberCount }: Pick<ChannelAccess, 'guild' | 'channel' | 'memberCount'>,
  invite: InviteRecord,
  atHand?: AccountRecord,
): Promise<InviteParts> {
  const [inviter, online] = await Promise.all([
    atHand ?? queries.accounts.find(invite.inviterId),
    presence.onlineCounts([guild.id]),
  ])
  return { invite, guild, channel, inviter: inviter ?? null, memberCount, presenceCount: online.get(guild.id) ?? 0 }
}
