import type { ProfileChanges } from '../../domain/account/profile.js'
import type { Account } from '../../domain/account/state.js'
import { field } from '../../domain/kernel/refusal.js'
import { lengthOf } from '../../domain/text/normalise.js'
import { ownAccountState } from '../accounts/own-account-state.js'
import type { Caller } from '../caller.js'
import { reject } from '../commands/refused.js'
import { isStaff, type PrivateUserObject } from '../objects/user-objects.js'
import type { Ports } from '../ports.js'
import { requireAddressChangeable, requireSettable, type AccountPatch } from './account-patch.js'
import { chargeChange } from './change-allowances.js'
import { changeOwnPassword, requirePasswordChange } from './change-own-password.js'
import { changeOwnTag, requireTagChange, wishedTag } from './change-own-tag.js'
import { renewedUser } from './renewed-user.js'
import { applyEmailToken, requireEmailToken } from './ticketed/apply-email-change.js'

type Needs = Pick<
  Ports,
  | 'addressHash'
  | 'aggregates'
  | 'allowances'
  | 'instance'
  | 'instancePolicies'
  | 'limits'
  | 'mail'
  | 'passwords'
  | 'queries'
  | 'readModels'
  | 'sessionHandovers'
  | 'tickets'
>

/**
 * Changes the caller's own account. Sudo mode is asked for where the tag, the password or the address would really change;
 * an account with nothing to prove itself by needs none. All is checked before any of it is done. Refuses with what
 * `requireAddressChangeable`, `requireSettable`, `requireTagChange`, `requirePasswordChange` and `requireEmailToken` refuse with, and with INVALID_FORM_BODY with the codes of
 * images, CONTENT_EXCEEDS_MAX_LENGTH on `bio`, and those of the allowances of 1.9.2. Reference identity 6.2.
 */
export function changeOwnAccount(ports: Needs) {
  return async (caller: Caller, patch: AccountPatch, proveSudo: () => Promise<void>): Promise<PrivateUserObject> => {
    const account = await ownAccountState(ports, caller)
    const { accountIdentity } = await ports.instancePolicies.current()
    requireAddressChangeable(accountIdentity.signIn, patch)
    requireSettable(account, isStaff(caller.account), patch)
    const { new_password: newPassword, email_token: emailToken, password } = patch
    const tag = wishedTag(account, patch, ports.instance.serviceName)
    const isSensitive = tag !== undefined || newPassword !== undefined || emailToken !== undefined
    if (isSensitive) await proveSudo()
    const profile = await allowedProfile(ports, caller, account, patch)
    if (newPassword !== undefined) await requirePasswordChange(ports, account, { newPassword, password })
    if (emailToken !== undefined) await requireEmailToken(ports, account, emailToken, caller.context)
    if (tag) await requireTagChange(ports, account, tag)
    if (tag) await changeOwnTag(ports, account, tag, caller.context)
    if (emailToken !== undefined) await applyEmailToken(ports, caller, account, emailToken)
    await ports.aggregates.account.execute(account.id, { type: 'ChangeProfile', changes: profile }, caller.context)
    if (newPassword !== undefined) {
      const { state } = await ports.aggregates.account.load(account.id)
      await changeOwnPassword(ports, caller, state.status === 'registered' ? state : account, newPassword)
    }
    return renewedUser(ports, caller)
  }
}

/** What the profile is to become, once it was found that it may. Allowances are charged for what is different. */
async function allowedProfile(
  ports: Pick<Needs, 'allowances' | 'limits'>,
  { account: record }: Caller,
  account: Account,
  patch: AccountPatch,
): Promise<ProfileChanges> {
  await refuseImages(ports, account, patch)
  const { bio, pronouns, accent_color: accentColor } = patch
  if (bio && lengthOf(bio) > (await ports.limits.ofAccount(record)).max_bio_length) {
    reject('INVALID_FORM_BODY', field('bio', 'CONTENT_EXCEEDS_MAX_LENGTH'))
  }
  const { profile, id } = account
  if (bio !== undefined && bio !== profile.bio) await chargeChange(ports, 'bio', id)
  if (pronouns !== undefined && pronouns !== profile.pronouns) await chargeChange(ports, 'pronouns', id)
  if (accentColor !== undefined && accentColor !== profile.accentColor) await chargeChange(ports, 'accent_color', id)
  return profileChanges(patch)
}

/** No account has the perk of banners yet, and no images are stored. Null takes away nothing. */
export async function refuseImages(
  ports: Pick<Needs, 'allowances' | 'limits'>,
  account: Account,
  { avatar, banner }: Pick<AccountPatch, 'avatar' | 'banner'>,
): Promise<void> {
  if (banner) reject('INVALID_FORM_BODY', field('banner', 'BANNERS_REQUIRE_PREMIUM'))
  if (!avatar) return
  await chargeChange(ports, 'avatar', account.id)
  if (avatar === 'none') reject('INVALID_FORM_BODY', field('avatar', 'INVALID_IMAGE_FORMAT'))
  const { feature_animated_avatar: mayMove } = await ports.limits.ofAccount(account)
  if (avatar === 'animated' && mayMove === 0)
    reject('INVALID_FORM_BODY', field('avatar', 'ANIMATED_AVATARS_REQUIRE_PREMIUM'))
  reject('INVALID_FORM_BODY', field('avatar', 'FAILED_TO_UPLOAD_IMAGE'))
}

/** The onboarding can be dismissed and never called back; there are no gifts to be read. */
function profileChanges(patch: AccountPatch): ProfileChanges {
  const wishes = {
    globalName: patch.global_name,
    bio: patch.bio,
    pronouns: patch.pronouns,
    accentColor: patch.accent_color,
    mentionFlags: patch.mention_flags,
    premiumBadgeHidden: patch.premium_badge_hidden,
    premiumBadgeMasked: patch.premium_badge_masked,
    premiumBadgeTimestampHidden: patch.premium_badge_timestamp_hidden,
    premiumBadgeSequenceHidden: patch.premium_badge_sequence_hidden,
    hasDismissedPremiumOnboarding: patch.has_dismissed_premium_onboarding === true ? true : undefined,
  }
  return Object.fromEntries(Object.entries(wishes).filter(([, wish]) => wish !== undefined))
}
