import { z } from 'zod'
import { aclsOutput } from './admin-acls.ts'
import { accountFlags } from '../../../../domain/account/flags.ts'
import { premiumFlags } from '../../../../domain/premium/premium-flags.ts'
import { bitsInWords } from '../../../../application/wire-objects/registries-in-words.ts'
import { snowflakeOutput, timestampOutput } from '../../../../application/wire-objects/scalars.ts'

const text = z.string().nullable()
const instant = timestampOutput.nullable()
const whole = z.int().nullable()

/**
 * An account as administrators see it. Every member is always there; what the caller may not see is null or false
 * (rules/administration#what-is-redacted).
 */
export const adminUser = z
  .object({
    id: snowflakeOutput,
    username: z.string(),
    discriminator: z.int().describe('Four digits, with leading zeros.'),
    global_name: text,
    bot: z.boolean().describe('Whether the account is a bot.'),
    system: z.boolean().describe('Whether the account is the service’s own.'),
    flags: z.string().describe(`All bits as a decimal string: ${bitsInWords(accountFlags)}`),
    premium_flags: z.int().describe(bitsInWords(premiumFlags)),
    avatar: text.describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
    banner: text.describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
    bio: text.describe('About the account, in Markdown. Null if it is empty.'),
    pronouns: text.describe('Null if they are empty.'),
    accent_color: whole.describe('Null if none is chosen.'),
    email: text.describe('Null if the account has none, or if the caller may not see it.'),
    email_verified: z.boolean().describe('Whether the e-mail address is confirmed.'),
    email_bounced: z.boolean().describe('Whether mails to the address came back.'),
    date_of_birth: text.describe('YYYY-MM-DD. Null if it is not known.'),
    locale: text.describe('The language of the client and of mails.'),
    premium_type: whole.describe('0 none, 1 subscription, 2 lifetime; null if there never was any.'),
    premium_since: instant.describe('Null if there is none, or it is hidden.'),
    premium_until: instant.describe('Null if it has no end, or there is none.'),
    premium_grace_ends_at: instant,
    premium_lifetime_sequence: whole.describe('The number of a lifetime’s premium; null for others.'),
    temp_banned_until: instant,
    pending_deletion_at: instant,
    pending_bulk_message_deletion_at: instant,
    deletion_reason_code: whole.describe('Why the account is to be deleted; null if it is not.'),
    deletion_public_reason: text,
    deletion_audit_log_reason: text,
    deletion_scheduled_by: snowflakeOutput.nullable(),
    deletion_scheduled_at: instant,
    acls: aclsOutput.describe('Rights of the registry of ACLs; * stands for all.'),
    traits: z.array(z.string()).readonly().describe('What rules of limits can ask for, beside premium.'),
    has_totp: z.boolean().describe('Whether the account has an authenticator app.'),
    authenticator_types: z.array(z.int()).readonly().describe('0 TOTP, 2 WEBAUTHN.'),
    last_active_at: instant,
    last_active_ip: text,
    last_active_ip_reverse: text,
    last_active_location: text,
  })
  .meta({ id: 'AdminUser' })

export const adminUserReply = z.object({ user: adminUser })
