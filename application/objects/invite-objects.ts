import type { Channel } from '../../domain/guild/channel.js'
import type { Guild } from '../../domain/guild/state.js'
import type { AccountRecord } from '../ports/queries/account-queries.js'
import type { InviteRecord } from '../ports/queries/invite-queries.js'
import { partialGuildObject } from './guild-objects.js'
import { partialUserObject } from './user-objects.js'

/** The `type` of an invite (contract part 1, Invite object). */
export const inviteTypes = { guild: 0, groupDm: 1 } as const

/** What an invite's object is made of. */
export interface InviteParts {
  readonly invite: InviteRecord
  readonly guild: Guild
  readonly channel: Channel
  /** Null once the inviter's account is gone. */
  readonly inviter: AccountRecord | null
  readonly memberCount: number
  readonly presenceCount: number
}

/** The invite object (contract part 1, Invite object). */
export function inviteObject({ invite, guild, channel, inviter, memberCount, presenceCount }: InviteParts) {
  return {
    code: invite.code,
    type: inviteTypes.guild,
    guild: partialGuildObject(guild),
    channel: { id: channel.id, name: channel.name, type: channel.type },
    inviter: inviter && partialUserObject(inviter),
    member_count: memberCount,
    presence_count: presenceCount,
    expires_at: invite.expiresAt,
    temporary: invite.temporary,
  }
}

export type InviteObject = ReturnType<typeof inviteObject>

/** The invite metadata object: the same, and how the invite has been used. */
export function inviteMetadataObject(parts: InviteParts) {
  const { invite } = parts
  return {
    ...inviteObject(parts),
    created_at: invite.createdAt,
    uses: invite.uses,
    max_uses: invite.maxUses,
    max_age: invite.maxAge,
  }
}

export type InviteMetadataObject = ReturnType<typeof inviteMetadataObject>
