import { z } from 'zod'
import { aclsOutput } from './admin-acls.ts'
import { snowflakeOutput, timestampOutput } from '../outputs.ts'

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
    discriminator: z.int(),
    global_name: text,
    bot: z.boolean(),
    system: z.boolean(),
    flags: z.string(),
    premium_flags: z.int(),
    avatar: text,
    banner: text,
    bio: text,
    pronouns: text,
    accent_color: whole,
    email: text,
    email_verified: z.boolean(),
    email_bounced: z.boolean(),
    date_of_birth: text,
    locale: text,
    premium_type: whole,
    premium_since: instant,
    premium_until: instant,
    premium_grace_ends_at: instant,
    premium_lifetime_sequence: whole,
    temp_banned_until: instant,
    pending_deletion_at: instant,
    pending_bulk_message_deletion_at: instant,
    deletion_reason_code: whole,
    deletion_public_reason: text,
    deletion_audit_log_reason: text,
    deletion_scheduled_by: snowflakeOutput.nullable(),
    deletion_scheduled_at: instant,
    acls: aclsOutput,
    traits: z.array(z.string()).readonly(),
    has_totp: z.boolean(),
    authenticator_types: z.array(z.int()).readonly(),
    last_active_at: instant,
    last_active_ip: text,
    last_active_ip_reverse: text,
    last_active_location: text,
  })
  .meta({ id: 'AdminUser' })

export const adminUserReply = z.object({ user: adminUser })
