import { isClaimedAccount, type Account } from '../../../domain/account/state.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { reject } from '../../commands/refused.ts'
import type { InstancePolicy } from '../../../domain/instance/policy.ts'

/** The body of Modify current user, with its member names; undefined for members that were not sent. */
export interface AccountPatch {
  /** As sent: validation depends on the service's name. */
  readonly username?: string | undefined
  /** 0-9999. */
  readonly discriminator?: number | undefined
  readonly global_name?: string | null | undefined
  readonly email?: string | undefined
  readonly new_password?: string | undefined
  readonly password: string | null
  /** As sent. */
  readonly avatar?: Uint8Array | null | undefined
  readonly banner?: Uint8Array | null | undefined
  readonly bio?: string | null | undefined
  readonly pronouns?: string | null | undefined
  readonly accent_color?: number | null | undefined
  readonly timezone?: string | null | undefined
  readonly timezone_privacy_flags?: number | undefined
  readonly premium_badge_hidden?: boolean | undefined
  readonly premium_badge_masked?: boolean | undefined
  readonly premium_badge_timestamp_hidden?: boolean | undefined
  readonly premium_badge_sequence_hidden?: boolean | undefined
  readonly premium_enabled_override?: boolean | undefined
  readonly has_dismissed_premium_onboarding?: boolean | undefined
  readonly has_unread_gift_inventory?: boolean | undefined
  readonly mention_flags?: number | undefined
  readonly email_token?: string | undefined
}

type Member = Exclude<keyof AccountPatch, 'password'>

/** The members that others see. */
const profile = [
  'username',
  'discriminator',
  'global_name',
  'avatar',
  'banner',
  'bio',
  'pronouns',
  'accent_color',
] as const satisfies readonly Member[]

/** The members that an unclaimed account may not set, in the order in which the first one is refused. */
const forClaimed = [
  ...profile.slice(0, 3),
  'email',
  ...profile.slice(3),
  'timezone',
  'timezone_privacy_flags',
  'premium_badge_hidden',
  'premium_badge_masked',
  'premium_badge_timestamp_hidden',
  'premium_badge_sequence_hidden',
  'premium_enabled_override',
  'mention_flags',
] as const satisfies readonly Member[]

/**
 * Refuses a change of address with EMAIL_UNAVAILABLE_ON_INSTANCE on instances with sign-in by username: their accounts
 * have no address.
 */
export function requireAddressChangeable(
  signIn: InstancePolicy['accountIdentity']['signIn'],
  { email, email_token: token }: AccountPatch,
): void {
  if (signIn === 'username' && (email !== undefined || token !== undefined)) reject('EMAIL_UNAVAILABLE_ON_INSTANCE')
}

/**
 * Refuses members that the account may not set, in this order: INVALID_FORM_BODY with
 * UNCLAIMED_ACCOUNTS_CAN_ONLY_SET_EMAIL_VIA_TOKEN on the first member that an unclaimed account may not set, with
 * EMAIL_MUST_BE_CHANGED_VIA_TOKEN on `email`, PROFILE_EMAIL_VERIFICATION_REQUIRED, and MISSING_ACCESS for members only staff may
 * set.
 */
export function requireSettable(account: Account, isStaff: boolean, patch: AccountPatch): void {
  const isSent = (member: Member): boolean => patch[member] !== undefined
  const isClaimed = isClaimedAccount(account)
  const offending = isClaimed ? undefined : forClaimed.find(isSent)
  if (offending !== undefined) {
    reject('INVALID_FORM_BODY', field(offending, 'UNCLAIMED_ACCOUNTS_CAN_ONLY_SET_EMAIL_VIA_TOKEN'))
  }
  if (isSent('email')) reject('INVALID_FORM_BODY', field('email', 'EMAIL_MUST_BE_CHANGED_VIA_TOKEN'))
  if (isClaimed && !account.emailVerified && profile.some(isSent)) reject('PROFILE_EMAIL_VERIFICATION_REQUIRED')
  if (isSent('premium_enabled_override') && !isStaff) reject('MISSING_ACCESS')
}
