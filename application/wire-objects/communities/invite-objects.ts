import { z } from 'zod'
import type { Channel } from '../../../domain/guild/channel.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import { privateChannelTypes } from '../../access/private-channel-access.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { GroupInviteRecord, InviteRecord } from '../../ports/queries/invite-queries.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import { partialGuildObject, partialGuildSchema } from './guild-objects.ts'
import { partialUserObject, partialUserSchema } from '../identity/user-objects.ts'
import { snowflakeOutput, timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

const partialInviteChannelSchema = wireObject('PartialInviteChannel', {
  id: snowflakeOutput,
  name: z.string().nullable(),
  type: z.int().describe('The kind of the channel; 3 is a group.'),
  recipients: z
    .array(z.object({ username: z.string() }))
    .readonly()
    .optional()
    .describe('The others in it.'),
})

const inviteMembers = {
  code: z.string(),
  type: z.union([z.literal(0), z.literal(1)]).meta({ description: '0 GUILD, 1 GROUP_DM' }),
  guild: partialGuildSchema.optional().describe('The guild that it leads to; absent for a group.'),
  channel: partialInviteChannelSchema.optional(),
  inviter: partialUserSchema.nullable().describe('Null if the account is gone.'),
  member_count: z.int().optional().describe('All members.'),
  presence_count: z.int().optional().describe('Members that are online.'),
  expires_at: timestampOutput.nullable().describe('Null for never.'),
  temporary: z
    .boolean()
    .describe('Whether members who join by it are removed once they are offline, unless they have a role.'),
}

/** An invite as everybody sees it. */
export const inviteSchema = wireObject('Invite', inviteMembers)

export type InviteObject = ObjectOf<typeof inviteSchema>

/** An invite as its creator and the managers of its guild see it. */
export const inviteMetadataSchema = wireObject('InviteMetadata', {
  ...inviteMembers,
  created_at: timestampOutput,
  uses: z.int().describe('How often it was used.'),
  max_uses: z.int().describe('After so many uses it ends.'),
  max_age: z.int().optional().describe('Seconds until it expires; 0 for never.'),
})

export type InviteMetadataObject = ObjectOf<typeof inviteMetadataSchema>

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
export function inviteObject(parts: InviteParts<ShownInvite>): InviteObject {
  const { invite, guild, channel, inviter, memberCount, presenceCount } = parts
  return objectOf(inviteSchema, {
    code: invite.code,
    type: inviteTypes.guild,
    guild: partialGuildObject(guild),
    ...(channel && { channel: { id: channel.id, name: channel.name, type: channel.type } }),
    inviter: inviter && partialUserObject(inviter),
    member_count: memberCount,
    presence_count: presenceCount,
    expires_at: invite.expiresAt,
    temporary: invite.temporary,
  })
}

/** The same for a private channel. Recipients are shown only for a group, by their usernames alone. */
export function groupInviteObject({ invite, channel, inviter, recipients }: GroupInviteParts): InviteObject {
  const { id, kind, name } = channel
  const usernames = recipients.map(({ username }) => ({ username }))
  return objectOf(inviteSchema, {
    code: invite.code,
    type: inviteTypes.groupDm,
    channel: { id, name, type: privateChannelTypes[kind], ...(kind === 'group' ? { recipients: usernames } : {}) },
    inviter: inviter && partialUserObject(inviter),
    member_count: recipients.length,
    expires_at: invite.expiresAt,
    temporary: invite.temporary,
  })
}

/** The invite metadata object: the same, with the invite's use. */
export function inviteMetadataObject(parts: InviteParts): InviteMetadataObject {
  return objectOf(inviteMetadataSchema, {
    ...inviteObject(parts),
    ...metadataOf(parts.invite),
    max_age: parts.invite.maxAge,
  })
}

/** The same for a private channel, without its lifetime. */
export function groupInviteMetadataObject(parts: GroupInviteParts): InviteMetadataObject {
  return objectOf(inviteMetadataSchema, { ...groupInviteObject(parts), ...metadataOf(parts.invite) })
}

function metadataOf({ createdAt, uses, maxUses }: Pick<InviteRecord, 'createdAt' | 'uses' | 'maxUses'>) {
  return { created_at: createdAt, uses, max_uses: maxUses }
}
