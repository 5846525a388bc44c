import { accountFlags, hasFlag } from '../../../domain/account/flags.ts'
import { isAdult } from '../../../domain/account/is-adult.ts'
import { hasPremiumFlag } from '../../../domain/premium/premium-flags.ts'
import { shownPremium } from '../../../domain/premium/premium-now.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { premiumTrait } from '../../../domain/limits/limit-config.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'

/** What everybody sees of an account. */
export interface PartialUserObject {
  readonly id: string
  readonly username: string
  /** Four digits. */
  readonly discriminator: string
  readonly global_name: string | null
  readonly avatar: string | null
  readonly avatar_color: number | null
  readonly bot?: true
  readonly system?: true
  readonly flags: number
  /** 1 prefers to be mentioned, 2 prefers not to be; absent without a preference. */
  readonly mention_flags?: number
}

/** STAFF, PARTNER, BUG_HUNTER, FRIENDLY_BOT, FRIENDLY_BOT_MANUAL_APPROVAL, SPAMMER: the public flags. */
const publicFlags = 0b1111101n

/** The public data of an account. */
export function partialUserObject(account: AccountRecord): PartialUserObject {
  return {
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
  }
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

/** The account as its holder sees it. Parts that are not implemented yet have their empty form. */
export type PrivateUserObject = Omit<ReturnType<typeof privateUserObject>, 'email_bounced'> & {
  /** Whether mails to the address bounce; not shown to applications. */
  readonly email_bounced?: boolean
}

export function privateUserObject(account: AccountRecord, now: Timestamp) {
  const { messageDeletion, premium: stored, profile } = account
  const premium = shownPremium(account, account.everyoneHasPremium, now)
  const unreadGifts_count = stored.gifts.obtained_count - stored.gifts.seen_count
  const authenticators = authenticatorTypes(account)
  return {
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
  }
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
