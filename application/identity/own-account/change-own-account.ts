import type { ProfileChanges } from '../../../domain/account/profile.ts'
import { premiumFlags } from '../../../domain/premium/premium-flags.ts'
import type { Account, AccountState } from '../../../domain/account/state.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { lengthOf } from '../../../domain/text/normalise.ts'
import type { Executed } from '../../aggregates/earlier-try.ts'
import { changeTag } from '../accounts/change-tag.ts'
import { tellAnyway } from '../accounts/tell-anyway.ts'
import { ownAccountState } from '../accounts/own-account-state.ts'
import type { Caller } from '../../caller.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import { readPersonImages } from '../../images/person-images.ts'
import { isStaff, type PrivateUserObject } from '../../wire-objects/identity/user-objects.ts'
import type { Ports } from '../../ports.ts'
import { requireAddressChangeable, requireSettable, type AccountPatch } from './account-patch.ts'
import { changeBotProfile, wishedBotTag } from './change-bot-profile.ts'
import { chargeChange } from './change-allowances.ts'
import { changeOwnPassword, requirePasswordChange } from './change-own-password.ts'
import { requireTagChange, wishedTag } from './change-own-tag.ts'
import { changeProfile } from './change-profile.ts'
import { renewedUser } from './renewed-user.ts'
import { applyEmailToken, requireEmailToken } from './ticketed/apply-email-change.ts'

type Needs = Pick<
  Ports,
  | 'addressHash'
  | 'deferred'
  | 'aggregates'
  | 'allowances'
  | 'blocklistBox'
  | 'images'
  | 'instance'
  | 'instancePolicies'
  | 'limits'
  | 'locks'
  | 'mail'
  | 'passwords'
  | 'queries'
  | 'readModels'
  | 'reminders'
  | 'sessionHandovers'
  | 'tickets'
>

/**
 * Changes the caller's own account. A real change of the tag, the password or the address needs sudo mode, unless the
 * account has nothing to prove itself by. Everything is checked before anything is changed. Refuses as
 * `requireAddressChangeable`, `requireSettable`, `requireTagChange`, `requirePasswordChange` and `requireEmailToken`
 * do, and with INVALID_FORM_BODY with the codes of images, CONTENT_EXCEEDS_MAX_LENGTH on `bio`, and those of
 * `change-allowances.ts`. A bot changes its profile alone, as `changeBotProfile` does: its token is all that it has to prove
 * itself by, and other members do not concern it. The account's sessions get User Update even if nothing changes. See
 * rules/users#modify-the-own-account.
 */
export function changeOwnAccount(ports: Needs) {
  return async (caller: Caller, patch: AccountPatch, proveSudo: () => Promise<void>): Promise<PrivateUserObject> => {
    const account = await ownAccountState(ports, caller)
    if (account.bot) {
      await changeBotProfile(ports, caller, account, { patch, tag: wishedBotTag(ports, account, patch) })
      return renewedUser(ports, caller)
    }
    const { accountIdentity } = await ports.instancePolicies.current()
    requireAddressChangeable(accountIdentity.signIn, patch)
    requireSettable(account, isStaff(caller.account), patch)
    const { new_password: newPassword, email_token: emailToken, password } = patch
    const tag = wishedTag(account, patch, ports.instance.serviceName)
    const isSensitive = tag !== undefined || newPassword !== undefined || emailToken !== undefined
    if (isSensitive) await proveSudo()
    const profile = await allowedProfile(ports, caller, account, patch)
    const images = await readPersonImages(ports, caller, account, patch, (image) =>
      chargeChange(ports, image, account.id),
    )
    if (newPassword !== undefined) await requirePasswordChange(ports, caller, account, { newPassword, password })
    if (emailToken !== undefined) await requireEmailToken(ports, account, emailToken, caller.context)
    if (tag) await requireTagChange(ports, account, tag)
    if (tag) await changeTag(ports, account, tag, caller.context)
    if (emailToken !== undefined) await applyEmailToken(ports, caller, account, emailToken)
    const changed = await changeProfile(ports, account, { profile, images }, caller.context)
    const premium = await changeOwnPremium(ports, account, patch, caller.context)
    // Each sensitive change is told of by its own event.
    if (!isSensitive) tellAnyway(ports, account.id, [changed, ...premium])
    if (newPassword !== undefined) {
      const { state } = await ports.aggregates.account.load(account.id)
      await changeOwnPassword(ports, caller, state.status === 'registered' ? state : account, newPassword)
    }
    return renewedUser(ports, caller)
  }
}

/** Staff can override their premium; whoever has unread gift codes marks them as read. */
async function changeOwnPremium(
  { aggregates }: Pick<Needs, 'aggregates'>,
  { id }: Account,
  { premium_enabled_override: isOverridden, has_unread_gift_inventory: isUnread }: AccountPatch,
  context: CommandContext,
): Promise<readonly Executed<AccountState>[]> {
  const done: Executed<AccountState>[] = []
  if (isOverridden !== undefined) {
    const [bit, none] = [[premiumFlags.ENABLED_OVERRIDE], []] as const
    const [add, remove] = isOverridden ? [bit, none] : [none, bit]
    done.push(await aggregates.account.execute(id, { type: 'UpdatePremiumFlags', add, remove }, context))
  }
  if (isUnread === false) done.push(await aggregates.account.execute(id, { type: 'SeeGiftCodes' }, context))
  return done
}

/** The profile changes, after checking that they are allowed. Charges the allowances for real changes. */
async function allowedProfile(
  ports: Pick<Needs, 'allowances' | 'limits'>,
  { account: record }: Caller,
  account: Account,
  patch: AccountPatch,
): Promise<ProfileChanges> {
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

/** The onboarding can be dismissed but not brought back. */
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
