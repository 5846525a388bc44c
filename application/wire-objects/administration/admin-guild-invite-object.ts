import { z } from 'zod'
import type { Channel } from '../../../domain/guild/channel.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { InviteRecord } from '../../ports/queries/invite-queries.ts'
import { adminResolvedUser, adminResolvedUserSchema } from './admin-resolved-user.ts'
import { inviteMetadataSchema } from '../communities/invite-objects.ts'
import { nullableText, snowflakeOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

const { shape: terms } = inviteMetadataSchema.pick({
  uses: true,
  temporary: true,
  created_at: true,
  expires_at: true,
})

export const adminGuildInviteSchema = wireObject('AdminGuildInvite', {
  code: z.string(),
  channel_id: snowflakeOutput,
  channel_name: nullableText.describe('Null if the channel is deleted; the invite still admits.'),
  inviter: adminResolvedUserSchema.nullable().describe('Null if the account is gone.'),
  ...terms,
  max_uses: z.int().describe('After so many uses it ends; 0 for never.'),
  max_age: z.int().describe('Seconds until it expires; 0 for never.'),
})

export type AdminGuildInviteObject = ObjectOf<typeof adminGuildInviteSchema>

/** An invite to a guild as administrators see it. */
export function adminGuildInviteObject(
  invite: InviteRecord,
  channel: Channel | undefined,
  inviter: AccountRecord | undefined,
): AdminGuildInviteObject {
  return objectOf(adminGuildInviteSchema, {
    code: invite.code,
    channel_id: invite.channelId,
    channel_name: channel?.name ?? null,
    inviter: inviter ? adminResolvedUser(inviter) : null,
    uses: invite.uses,
    temporary: invite.temporary,
    created_at: invite.createdAt,
    expires_at: invite.expiresAt,
    max_uses: invite.maxUses,
    max_age: invite.maxAge,
  })
}
