import { z } from 'zod'
import { snowflakeOutput, timestampOutput } from '../../outputs.ts'

/** The flags of accounts that everybody sees. */
export const publicFlags =
  'Bits: 1 STAFF, 4 PARTNER, 8 BUG_HUNTER, 16 FRIENDLY_BOT, 32 FRIENDLY_BOT_MANUAL_APPROVAL, 64 SPAMMER.'

export const partialUserMembers = {
  id: snowflakeOutput,
  username: z.string(),
  discriminator: z
    .string()
    .regex(/^\d{4}$/)
    .describe('Four digits, with leading zeros.'),
  global_name: z.string().nullable(),
  avatar: z
    .string()
    .nullable()
    .describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
  avatar_color: z
    .int()
    .nullable()
    .describe('The average colour of the avatar, as 24 bits of RGB; null without an avatar.'),
  bot: z.literal(true).optional().describe('Whether the account is a bot.'),
  system: z.literal(true).optional().describe('Whether the account is the service’s own.'),
  flags: z.int().describe(publicFlags),
  mention_flags: z
    .int()
    .optional()
    .describe('0 no preference, 1 prefers replies that mention, 2 prefers replies that do not.'),
}

/** An account as everybody sees it. */
export const partialUser = z.object(partialUserMembers).meta({ id: 'PartialUser' })

const text = z.string().nullable()
const instant = timestampOutput.nullable()

/** An account as its holder sees it. */
export const currentUser = z
  .object({
    ...partialUserMembers,
    is_staff: z.boolean().describe('Whether the account has the flag STAFF.'),
    acls: z.array(z.string()).readonly().describe('Rights of the registry of ACLs; * stands for all.'),
    traits: z.array(z.string()).readonly().describe('What rules of limits can ask for, beside premium.'),
    email: text.describe('Null if the account has none, or if the caller may not see it.'),
    email_bounced: z.boolean().optional().describe('Whether mails to the address came back.'),
    phone: z.null().describe('Always null.'),
    has_verified_phone: z.boolean().describe('Always false.'),
    bio: text.describe('About the account, in Markdown. Null if it is empty.'),
    pronouns: text.describe('Null if they are empty.'),
    accent_color: z.int().nullable().describe('Null if none is chosen.'),
    banner: text.describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
    banner_color: z
      .int()
      .nullable()
      .describe('The average colour of the banner, as 24 bits of RGB; null without a banner.'),
    mfa_enabled: z.boolean().describe('Whether the account has a second factor.'),
    authenticator_types: z.array(z.int()).readonly().optional().describe('0 TOTP, 2 WEBAUTHN.'),
    verified: z.boolean().describe('Whether the e-mail address is confirmed.'),
    premium_type: z.int().nullable().describe('0 none, 1 subscription, 2 lifetime; null if there never was any.'),
    premium_since: instant.describe('Null if there is none, or it is hidden.'),
    premium_until: instant.describe('Null if it has no end, or there is none.'),
    premium_will_cancel: z.boolean().describe('Whether the subscription is not renewed.'),
    premium_billing_cycle: text,
    premium_lifetime_sequence: z.int().nullable().describe('The number of a lifetime’s premium; null for others.'),
    premium_grace_ends_at: instant,
    premium_discriminator: z.boolean().describe('Whether the account has chosen its discriminator.'),
    premium_badge_hidden: z.boolean().describe('Whether others do not see the badge of premium.'),
    premium_badge_masked: z.boolean().describe('Whether a lifetime badge looks like an ordinary one.'),
    premium_badge_timestamp_hidden: z.boolean().describe('Whether the badge does not show since when.'),
    premium_badge_sequence_hidden: z.boolean().describe('Whether the badge does not show its number.'),
    premium_purchase_disabled: z.boolean().describe('Whether the account cannot buy premium.'),
    premium_enabled_override: z.boolean().describe('Whether staff have premium without paying. Needs the flag STAFF.'),
    premium_perks_disabled: z
      .boolean()
      .describe('Whether the account has the marks of premium without what it brings.'),
    password_last_changed_at: instant.describe('Null if the password was never changed.'),
    last_voice_activity_sharing_change_at: instant,
    required_actions: z
      .array(z.string())
      .readonly()
      .describe('What the account must do before it can go on, such as REQUIRE_VERIFIED_EMAIL.'),
    nsfw_allowed: z
      .boolean()
      .describe(
        'Whether the account may see age-restricted content: adults by date of birth or by verification, and bots.',
      ),
    age_verified_adult: z
      .literal(true)
      .optional()
      .describe('Present if an operator has verified that the account is of an adult.'),
    has_dismissed_premium_onboarding: z
      .boolean()
      .describe('Whether the account has closed the introduction to premium.'),
    has_ever_purchased: z.boolean().describe('Whether the account has bought anything.'),
    has_unread_gift_inventory: z
      .boolean()
      .describe('Whether the account has not yet seen its new gift codes. Only false has an effect.'),
    unread_gift_inventory_count: z.int().describe('How many gift codes the account has not yet seen.'),
    pending_bulk_message_deletion: z
      .object({
        scheduled_at: timestampOutput,
        channel_count: z.int().describe('How many channels they stand in.'),
        message_count: z.int().describe('How many messages.'),
      })
      .nullable(),
    terms_agreed_at: instant,
    privacy_agreed_at: instant,
  })
  .meta({ id: 'CurrentUser' })
