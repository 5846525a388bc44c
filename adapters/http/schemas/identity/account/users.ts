import { z } from 'zod'
import { snowflakeOutput, timestampOutput } from '../../outputs.ts'

export const partialUserMembers = {
  id: snowflakeOutput,
  username: z.string(),
  discriminator: z.string().regex(/^\d{4}$/),
  global_name: z.string().nullable(),
  avatar: z.string().nullable(),
  avatar_color: z.int().nullable(),
  bot: z.literal(true).optional(),
  system: z.literal(true).optional(),
  flags: z.int(),
  mention_flags: z.int().optional(),
}

/** An account as everybody sees it. */
export const partialUser = z.object(partialUserMembers).meta({ id: 'PartialUser' })

const text = z.string().nullable()
const instant = timestampOutput.nullable()

/** An account as its holder sees it. */
export const currentUser = z
  .object({
    ...partialUserMembers,
    is_staff: z.boolean(),
    acls: z.array(z.string()).readonly(),
    traits: z.array(z.string()).readonly(),
    email: text,
    email_bounced: z.boolean().optional(),
    phone: z.null(),
    has_verified_phone: z.boolean(),
    bio: text,
    pronouns: text,
    accent_color: z.int().nullable(),
    banner: text,
    banner_color: z.int().nullable(),
    mfa_enabled: z.boolean(),
    authenticator_types: z.array(z.int()).readonly().optional(),
    verified: z.boolean(),
    premium_type: z.int().nullable(),
    premium_since: instant,
    premium_until: instant,
    premium_will_cancel: z.boolean(),
    premium_billing_cycle: text,
    premium_lifetime_sequence: z.int().nullable(),
    premium_grace_ends_at: instant,
    premium_discriminator: z.boolean(),
    premium_badge_hidden: z.boolean(),
    premium_badge_masked: z.boolean(),
    premium_badge_timestamp_hidden: z.boolean(),
    premium_badge_sequence_hidden: z.boolean(),
    premium_purchase_disabled: z.boolean(),
    premium_enabled_override: z.boolean(),
    premium_perks_disabled: z.boolean(),
    password_last_changed_at: instant,
    last_voice_activity_sharing_change_at: instant,
    required_actions: z.array(z.string()).readonly(),
    nsfw_allowed: z.boolean(),
    age_verified_adult: z.literal(true).optional(),
    has_dismissed_premium_onboarding: z.boolean(),
    has_ever_purchased: z.boolean(),
    has_unread_gift_inventory: z.boolean(),
    unread_gift_inventory_count: z.int(),
    pending_bulk_message_deletion: z
      .object({ scheduled_at: timestampOutput, channel_count: z.int(), message_count: z.int() })
      .nullable(),
    terms_agreed_at: instant,
    privacy_agreed_at: instant,
  })
  .meta({ id: 'CurrentUser' })
