import { z } from 'zod'
import { accountFlags, hasFlag } from '../../../domain/account/flags.ts'
import { isAdult } from '../../../domain/account/is-adult.ts'
import { hasPremiumFlag } from '../../../domain/premium/premium-flags.ts'
import { shownPremium } from '../../../domain/premium/premium-now.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { premiumTrait } from '../../../domain/limits/limit-config.ts'
import type { WebhookAuthor } from '../../../domain/messages/parts.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import {
  discriminatorOutput,
  imageHashOutput,
  snowflakeOutput,
  timestampOutput,
  premiumTypeOutput,
} from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

/** The flags of accounts that everybody sees. */
export const publicFlagsInWords =
  'Bits: 1 STAFF, 4 PARTNER, 8 BUG_HUNTER, 16 FRIENDLY_BOT, 32 FRIENDLY_BOT_MANUAL_APPROVAL, 64 SPAMMER.'

export const partialUserMembers = {
  id: snowflakeOutput,
  username: z.string(),
  discriminator: discriminatorOutput,
  global_name: z.string().nullable(),
  avatar: imageHashOutput,
  avatar_color: z
    .int()
    .nullable()
    .describe('The average colour of the avatar, as 24 bits of RGB; null without an avatar.'),
  bot: z.literal(true).optional().describe('Whether the account is a bot.'),
  system: z.literal(true).optional().describe('Whether the account is the service’s own.'),
  flags: z.int().describe(publicFlagsInWords),
  mention_flags: z
    .int()
    .optional()
    .describe('0 no preference, 1 prefers replies that mention, 2 prefers replies that do not.'),
}

/** An account as everybody sees it. */
export const partialUserSchema = wireObject('PartialUser', partialUserMembers)

export type PartialUserObject = ObjectOf<typeof partialUserSchema>

const text = z.string().nullable()

const instant = timestampOutput.nullable()

/** An account as its holder sees it. */
export const privateUserSchema = wireObject('CurrentUser', {
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
  banner: imageHashOutput,
  banner_color: z
    .int()
    .nullable()
    .describe('The average colour of the banner, as 24 bits of RGB; null without a banner.'),
  mfa_enabled: z.boolean().describe('Whether the account has a second factor.'),
  authenticator_types: z.array(z.int()).readonly().optional().describe('0 TOTP, 2 WEBAUTHN.'),
  verified: z.boolean().describe('Whether the e-mail address is confirmed.'),
  premium_type: premiumTypeOutput,
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
  premium_perks_disabled: z.boolean().describe('Whether the account has the marks of premium without what it brings.'),
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
  has_dismissed_premium_onboarding: z.boolean().describe('Whether the account has closed the introduction to premium.'),
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

export type PrivateUserObject = ObjectOf<typeof privateUserSchema>

/** STAFF, PARTNER, BUG_HUNTER, FRIENDLY_BOT, FRIENDLY_BOT_MANUAL_APPROVAL, SPAMMER: the public flags. */
const publicFlags = 0b1111101n

/** The public data of an account. */
export function partialUserObject(account: AccountRecord): PartialUserObject {
  return objectOf(partialUserSchema, {
    id: account.id,
    username: account.username,
    discriminator: account.discriminator.toString().padStart(4, '0'),
    global_name: account.profile.globalName,
    avatar: account.profile.avatar,
    avatar_color: account.profile.avatarColor,
    ...(account.bot ? { bot: true } : {}),
    ...(account.system ? { system: true } : {}),
    flags: shownFlags(account),
    ...(account.profile.mentionFlags === 0 ? {} : { mention_flags: account.profile.mentionFlags }),
  })
}

/** The author of a message that a webhook posted. */
export function webhookAuthorObject(id: string, { name, avatar }: WebhookAuthor): PartialUserObject {
  return objectOf(partialUserSchema, {
    id,
    username: name,
    discriminator: '0000',
    global_name: null,
    avatar,
    avatar_color: null,
    bot: true,
    flags: 0,
  })
}

/** The flags that everybody sees. */
export function shownFlags(account: Pick<AccountRecord, 'flags'>): number {
  const hidden = hasFlag(account, 'STAFF_HIDDEN') ? accountFlags.STAFF : 0n
  return Number(BigInt(account.flags) & publicFlags & ~hidden)
}

/** Whether the account belongs to the staff of the instance. */
export function isStaff(account: Pick<AccountRecord, 'flags'>): boolean {
  return hasFlag(account, 'STAFF')
}

export function privateUserObject(account: AccountRecord, now: Timestamp): PrivateUserObject {
  const { messageDeletion, premium: stored, profile } = account
  const premium = shownPremium(account, account.everyoneHasPremium, now)
  const unreadGifts_count = stored.gifts.obtained_count - stored.gifts.seen_count
  const authenticators = authenticatorTypes(account)
  return objectOf(privateUserSchema, {
    ...partialUserObject(account),
    is_staff: isStaff(account),
    acls: account.acls,
    traits: shownTraits(account.traits, premium.isActive),
    email: account.email,
    email_bounced: account.emailBounced,
    phone: null,
    has_verified_phone: false,
    bio: profile.bio,
    pronouns: profile.pronouns,
    accent_color: profile.accentColor,
    banner: profile.banner,
    banner_color: profile.bannerColor,
    mfa_enabled: authenticators.length > 0,
    ...(authenticators.length > 0 ? { authenticator_types: authenticators } : {}),
    verified: account.emailVerified,
    ...premiumMembers(premium),
    premium_discriminator: hasPremiumFlag(account, 'DISCRIMINATOR'),
    premium_badge_hidden: profile.premiumBadgeHidden,
    premium_badge_masked: profile.premiumBadgeMasked,
    premium_badge_timestamp_hidden: profile.premiumBadgeTimestampHidden,
    premium_badge_sequence_hidden: profile.premiumBadgeSequenceHidden,
    premium_purchase_disabled: hasPremiumFlag(account, 'PURCHASE_DISABLED'),
    premium_enabled_override: hasPremiumFlag(account, 'ENABLED_OVERRIDE'),
    premium_perks_disabled: hasPremiumFlag(account, 'PERKS_DISABLED'),
    password_last_changed_at: account.passwordChangedAt,
    last_voice_activity_sharing_change_at: account.voiceActivityChosenAt,
    required_actions: [] as readonly string[],
    nsfw_allowed: isAdult(account, now),
    ...(hasFlag(account, 'AGE_VERIFIED_ADULT') ? { age_verified_adult: true as const } : {}),
    has_dismissed_premium_onboarding: profile.hasDismissedPremiumOnboarding,
    has_ever_purchased: stored.hasEverPurchased,
    has_unread_gift_inventory: unreadGifts_count > 0,
    unread_gift_inventory_count: unreadGifts_count,
    pending_bulk_message_deletion: messageDeletion && {
      scheduled_at: messageDeletion.dueAt,
      channel_count: messageDeletion.channelCount,
      message_count: messageDeletion.messageCount,
    },
    terms_agreed_at: account.termsAcceptedAt,
    privacy_agreed_at: account.termsAcceptedAt,
  })
}

/** The trait `premium` says that premium is active. Set as a label, it does not. */
function shownTraits(labels: readonly string[], isActive: boolean): readonly string[] {
  const others = labels.filter((trait) => trait !== premiumTrait)
  return isActive ? [...others, premiumTrait].toSorted() : others
}

/** The members of premium that follow from whether it counts. Only a card provider has a billing cycle. */
export function premiumMembers(premium: ReturnType<typeof shownPremium>) {
  return {
    premium_type: premium.type,
    premium_since: premium.since,
    premium_until: premium.until,
    premium_will_cancel: premium.willCancel,
    premium_billing_cycle: null,
    premium_lifetime_sequence: premium.lifetimeNumber,
    premium_grace_ends_at: premium.graceEndsAt,
  }
}

const authenticator = { totp: 0, webauthn: 2 } as const

/** The authenticator types used when signing in: a passkey only if the account chose so. */
export function authenticatorTypes({ secondFactors }: Pick<AccountRecord, 'secondFactors'>): readonly number[] {
  const { totp, passkeys_count: passkeys, usesPasskeys } = secondFactors
  return [...(totp ? [authenticator.totp] : []), ...(usesPasskeys && passkeys > 0 ? [authenticator.webauthn] : [])]
}
