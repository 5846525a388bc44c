import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { GuildBanRecord } from '../../ports/queries/guild-ban-queries.ts'
import { adminResolvedUser, adminResolvedUserSchema } from './admin-resolved-user.ts'
import { nullableText, timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

export const adminGuildBanSchema = wireObject('AdminGuildBan', {
  user: adminResolvedUserSchema,
  moderator: adminResolvedUserSchema.describe('Who banned the account.'),
  reason: nullableText.describe('Null if there is none, and for callers without audit_log:view.'),
  banned_at: timestampOutput,
  expires_at: timestampOutput.nullable().describe('Null for never.'),
})

export type AdminGuildBanObject = ObjectOf<typeof adminGuildBanSchema>

/** A ban of a guild as administrators see it, without the address and the network that it matches. */
export function adminGuildBanObject(
  { reason, bannedAt, expiresAt }: Pick<GuildBanRecord, 'reason' | 'bannedAt' | 'expiresAt'>,
  account: AccountRecord,
  moderator: AccountRecord,
): AdminGuildBanObject {
  return objectOf(adminGuildBanSchema, {
    user: adminResolvedUser(account),
    moderator: adminResolvedUser(moderator),
    reason,
    banned_at: bannedAt,
    expires_at: expiresAt,
  })
}
