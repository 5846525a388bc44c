import { otherThan } from '../kernel/same-json.ts'

/** The profile of an account, and its display options. */
export interface Profile {
  /** 1-32 characters. */
  readonly globalName: string | null
  /** The hashes of the images, after `a_` for an animated one. */
  readonly avatar: string | null
  readonly banner: string | null
  /** The dominant colours as 24 bits of RGB; null without an image, or if unknown. */
  readonly avatarColor: number | null
  readonly bannerColor: number | null
  /** 1-320 characters; for a bot, 0-1024. */
  readonly bio: string | null
  /** 1-40 characters. */
  readonly pronouns: string | null
  /** 24 bits of RGB. */
  readonly accentColor: number | null
  /** 0 no preference, 1 prefers to be mentioned, 2 prefers not to be. */
  readonly mentionFlags: number
  readonly premiumBadgeHidden: boolean
  readonly premiumBadgeMasked: boolean
  readonly premiumBadgeTimestampHidden: boolean
  readonly premiumBadgeSequenceHidden: boolean
  readonly hasDismissedPremiumOnboarding: boolean
}

export type ProfileChanges = Partial<Profile>

/** The profile of a new account, which has only a display name. */
export function newProfile(globalName: string | null): Profile {
  return {
    globalName,
    avatar: null,
    banner: null,
    avatarColor: null,
    bannerColor: null,
    bio: null,
    pronouns: null,
    accentColor: null,
    mentionFlags: 0,
    premiumBadgeHidden: false,
    premiumBadgeMasked: false,
    premiumBadgeTimestampHidden: false,
    premiumBadgeSequenceHidden: false,
    hasDismissedPremiumOnboarding: false,
  }
}

/** The changes that differ from the profile; undefined if none does. */
export function realChanges(profile: Profile, changes: ProfileChanges): ProfileChanges | undefined {
  const real = Object.entries(changes).filter(otherThan(profile))
  return real.length === 0 ? undefined : Object.fromEntries(real)
}
