import type { Account } from '../../../domain/account/state.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { Caller } from '../../caller.ts'
import { reject, Refused } from '../../commands/refused.ts'
import { readPersonImages } from '../../images/person-images.ts'
import { changeTag, type TagWish } from '../accounts/change-tag.ts'
import type { Ports } from '../../ports.ts'
import type { AccountPatch } from './account-patch.ts'
import { chargeChange } from './change-allowances.ts'
import { requireTagChange, wishedTag } from './change-own-tag.ts'
import { changeProfile } from './change-profile.ts'

/** What a bot's profile has: as its owner changes it, and the bot itself. */
export type BotProfilePatch = Pick<AccountPatch, 'username' | 'discriminator' | 'avatar' | 'banner' | 'bio'>

/** What the change of a bot's profile needs. */
export type BotProfileNeeds = Pick<
  Ports,
  | 'deferred'
  | 'aggregates'
  | 'allowances'
  | 'blocklistBox'
  | 'images'
  | 'instance'
  | 'instancePolicies'
  | 'limits'
  | 'locks'
  | 'queries'
>

/**
 * Changes a bot's profile: all of it or nothing. `tag` is the one that `wishedBotTag` found. Refuses with INVALID_FORM_BODY with
 * USERNAME_CHANGED_TOO_MANY_TIMES or a code of images, and with USERNAME_NOT_AVAILABLE. See rules/applications#change-the-bot.
 */
export async function changeBotProfile(
  ports: BotProfileNeeds,
  caller: Caller,
  bot: Account,
  { patch, tag }: { readonly patch: BotProfilePatch; readonly tag: TagWish | undefined },
): Promise<void> {
  const images = await readPersonImages(ports, caller, { ...bot, bot: true }, patch, (image) =>
    chargeChange(ports, image, bot.id),
  )
  if (tag) await changeBotTag(ports, bot, tag, caller)
  const profile = patch.bio === undefined ? {} : { bio: patch.bio }
  await changeProfile(ports, bot, { profile, images }, caller.context)
}

/**
 * The requested tag of a bot; undefined if it has it already. A discriminator may only be sent unchanged, since it comes with the
 * username: INVALID_FORM_BODY with BOT_DISCRIMINATOR_CANNOT_BE_CHANGED, or a code of usernames.
 */
export function wishedBotTag(
  { instance }: Pick<Ports, 'instance'>,
  bot: Account,
  { username, discriminator }: BotProfilePatch,
): TagWish | undefined {
  if (discriminator !== undefined && discriminator !== bot.discriminator)
    reject('INVALID_FORM_BODY', field('discriminator', 'BOT_DISCRIMINATOR_CANNOT_BE_CHANGED'))
  return wishedTag(bot, { username, password: null }, instance.serviceName)
}

async function changeBotTag(ports: BotProfileNeeds, bot: Account, tag: TagWish, { context }: Caller): Promise<void> {
  await requireTagChange(ports, bot, tag)
  try {
    await changeTag(ports, bot, tag, context)
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === 'INVALID_FORM_BODY') reject('USERNAME_NOT_AVAILABLE')
    throw error
  }
}
