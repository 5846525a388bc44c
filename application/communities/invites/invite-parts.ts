import type { AccountId } from '../../../domain/ids/ids.ts'
import type { ChannelAccess } from '../../access/guild-access.ts'
import type { GroupInviteParts, InviteParts, ShownInvite } from '../../wire-objects/communities/invite-objects.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { GroupInviteRecord } from '../../ports/queries/invite-queries.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import type { Ports } from '../../ports.ts'

/**
 * The parts of an invite's object, for a caller with access to its channel. Looks up the inviter if it is not given; a custom
 * invite URL has none.
 */
export async function invitePartsIn<Invite extends ShownInvite & { readonly inviterId: AccountId | null }>(
  { queries, presence }: Pick<Ports, 'queries' | 'presence'>,
  { guild, channel, memberCount }: Pick<ChannelAccess, 'guild' | 'channel' | 'memberCount'>,
  invite: Invite,
  known?: AccountRecord,
): Promise<InviteParts<Invite>> {
  const { inviterId } = invite
  const [inviter, online] = await Promise.all([
    known ?? (inviterId === null ? undefined : queries.accounts.find(inviterId)),
    presence.onlineCounts([guild.id]),
  ])
  return { invite, guild, channel, inviter: inviter ?? null, memberCount, presenceCount: online.get(guild.id) ?? 0 }
}

/** The same for an invite to a private channel; undefined if a recipient can't be found: such an invite is unknown. */
export async function groupInvitePartsIn(
  { queries }: Pick<Ports, 'queries'>,
  channel: PrivateChannel,
  invite: GroupInviteRecord,
): Promise<GroupInviteParts | undefined> {
  const found = await queries.accounts.findMany([...new Set([...channel.recipients, invite.inviterId])])
  const accounts = new Map(found.map((account) => [account.id, account]))
  const recipients = channel.recipients.flatMap((id) => accounts.get(id) ?? [])
  if (recipients.length < channel.recipients.length) return undefined
  return { invite, channel, inviter: accounts.get(invite.inviterId) ?? null, recipients }
}
