import type { Channel } from '../../../domain/guild/channel.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import { privateChannelTypes } from '../../access/private-channel-access.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { GroupInviteRecord, InviteRecord } from '../../ports/queries/invite-queries.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import { partialGuildObject } from './guild-objects.ts'
import { partialUserObject } from '../identity/user-objects.ts'

/** The `type` of an invite: what it leads to. */
export const inviteTypes = { guild: 0, groupDm: 1 } as const

/** The invite's own data in its object; for a custom invite URL, its code only. */
export type ShownInvite = Pick<InviteRecord, 'code' | 'expiresAt' | 'temporary'>

/** The parts of an invite's object. */
export interface InviteParts<Invite extends ShownInvite = InviteRecord> {
  readonly invite: Invite
  readonly guild: Guild
  /** Left out once it is deleted. */
  readonly channel?: Channel | undefined
  /** Null once the inviter's account is gone, and always for a custom invite URL. */
  readonly inviter: AccountRecord | null
  readonly memberCount: number
  readonly presenceCount: number
}

/** The parts of an object of an invite to a private channel. */
export interface GroupInviteParts {
  readonly invite: Omit<GroupInviteRecord, 'guildId'>
  readonly channel: PrivateChannel
  readonly inviter: AccountRecord | null
  /** All recipients of the channel. */
  readonly recipients: readonly AccountRecord[]
}

/** An invite to a guild, the same for everybody (rules/invites#get). */
export function inviteObject(parts: InviteParts<ShownInvite>) {
  const { invite, guild, channel, inviter, memberCount, presenceCount } = parts
  return {
    code: invite.code,
    type: inviteTypes.guild,
    guild: partialGuildObject(guild),
    ...(channel && { channel: { id: channel.id, name: channel.name, type: channel.type } }),
    inviter: inviter && partialUserObject(inviter),
    member_count: memberCount,
    presence_count: presenceCount,
    expires_at: invite.expiresAt,
    temporary: invite.temporary,
  }
}

/** The same for a private channel. Recipients are shown only for a group, by their usernames alone. */
export function groupInviteObject({ invite, channel, inviter, recipients }: GroupInviteParts) {
  const { id, kind, name } = channel
  const usernames = recipients.map(({ username }) => ({ username }))
  return {
    code: invite.code,
    type: inviteTypes.groupDm,
    channel: { id, name, type: privateChannelTypes[kind], ...(kind === 'group' ? { recipients: usernames } : {}) },
    inviter: inviter && partialUserObject(inviter),
    member_count: recipients.length,
    expires_at: invite.expiresAt,
    temporary: invite.temporary,
  }
}

export type InviteObject = ReturnType<typeof inviteObject> | ReturnType<typeof groupInviteObject>

/** The invite metadata object: the same, with the invite's use. */
export function inviteMetadataObject(parts: InviteParts) {
  return { ...inviteObject(parts), ...metadataOf(parts.invite), max_age: parts.invite.maxAge }
}

/** The same for a private channel, without its lifetime. */
export function groupInviteMetadataObject(parts: GroupInviteParts) {
  return { ...groupInviteObject(parts), ...metadataOf(parts.invite) }
}

function metadataOf({ createdAt, uses, maxUses }: Pick<InviteRecord, 'createdAt' | 'uses' | 'maxUses'>) {
  return { created_at: createdAt, uses, max_uses: maxUses }
}

export type InviteMetadataObject =
  | ReturnType<typeof inviteMetadataObject>
  | ReturnType<typeof groupInviteMetadataObject>
