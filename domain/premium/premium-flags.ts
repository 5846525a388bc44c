import type { Profile } from '../account/profile.ts'

/** The bits of an account's premium flags. */
export const premiumFlags = {
  DISCRIMINATOR: 1 << 0,
  BADGE_HIDDEN: 1 << 1,
  BADGE_MASKED: 1 << 2,
  BADGE_TIMESTAMP_HIDDEN: 1 << 3,
  BADGE_SEQUENCE_HIDDEN: 1 << 4,
  PERKS_SANITIZED: 1 << 5,
  PURCHASE_DISABLED: 1 << 6,
  ENABLED_OVERRIDE: 1 << 7,
  PERKS_DISABLED: 1 << 8,
} as const

/** The highest word of premium flags: 32 bits. */
export const premiumFlags_max = 2 ** 32 - 1

export type PremiumFlag = keyof typeof premiumFlags

type BadgeOptions = Pick<
  Profile,
  'premiumBadgeHidden' | 'premiumBadgeMasked' | 'premiumBadgeTimestampHidden' | 'premiumBadgeSequenceHidden'
>

/** Whether an account has a premium flag. */
export function hasPremiumFlag({ premiumFlags: flags }: { readonly premiumFlags: number }, flag: PremiumFlag): boolean {
  return (flags & premiumFlags[flag]) !== 0
}

/** Premium flags after additions, then removals. Any of 32 bits. */
export function changedPremiumFlags(flags: number, add: readonly number[], remove: readonly number[]): number {
  const added = add.reduce((word, flag) => word | flag, flags)
  return remove.reduce((word, flag) => word & ~flag, added) >>> 0
}

/** The holder sets these bits as options of the profile. */
export function badgeOptionsOf(flags: number): BadgeOptions {
  const has = (flag: PremiumFlag): boolean => hasPremiumFlag({ premiumFlags: flags }, flag)
  return {
    premiumBadgeHidden: has('BADGE_HIDDEN'),
    premiumBadgeMasked: has('BADGE_MASKED'),
    premiumBadgeTimestampHidden: has('BADGE_TIMESTAMP_HIDDEN'),
    premiumBadgeSequenceHidden: has('BADGE_SEQUENCE_HIDDEN'),
  }
}

/** The premium flags with the bits of these options. */
export function withBadgeOptions(flags: number, options: BadgeOptions): number {
  const { BADGE_HIDDEN, BADGE_MASKED, BADGE_TIMESTAMP_HIDDEN, BADGE_SEQUENCE_HIDDEN } = premiumFlags
  const set =
    (options.premiumBadgeHidden ? BADGE_HIDDEN : 0) |
    (options.premiumBadgeMasked ? BADGE_MASKED : 0) |
    (options.premiumBadgeTimestampHidden ? BADGE_TIMESTAMP_HIDDEN : 0) |
    (options.premiumBadgeSequenceHidden ? BADGE_SEQUENCE_HIDDEN : 0)
  return ((flags & ~badgeBits) | set) >>> 0
}

const badgeBits =
  premiumFlags.BADGE_HIDDEN |
  premiumFlags.BADGE_MASKED |
  premiumFlags.BADGE_TIMESTAMP_HIDDEN |
  premiumFlags.BADGE_SEQUENCE_HIDDEN
