import type { Account } from '../../../domain/account/state.ts'
import { botFlags } from '../../../domain/account/flags.ts'
import { botOf, type ApplicationId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { Caller } from '../../caller.ts'
import { reject, Refused } from '../../commands/refused.ts'
import { readPersonImages } from '../../images/person-images.ts'
import { botObject, type ApplicationBotObject } from '../../wire-objects/apps/application-objects.ts'
import type { AccountPatch } from '../../identity/own-account/account-patch.ts'
import { changeTag, type TagWish } from '../../identity/accounts/change-tag.ts'
import { requireTagChange, wishedTag } from '../../identity/own-account/change-own-tag.ts'
import { chargeChange } from '../../identity/own-account/change-allowances.ts'
import { changeProfile } from '../../identity/own-account/change-own-account.ts'
import type { Ports } from '../../ports.ts'
import { requireBotAccount, requireOwnApplication } from './own-application.ts'

/** The body of Update bot profile, with its member names; undefined for members that were not sent. */
export interface BotPatch extends Pick<AccountPatch, 'username' | 'discriminator' | 'avatar' | 'banner' | 'bio'> {
  readonly bot_flags?: number | undefined
}

type Needs = Pick<
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
  | 'readModels'
>

/**
 * Changes a bot's profile: all of it or nothing. Refuses with UNKNOWN_APPLICATION, ACCESS_DENIED, BOT_USER_NOT_FOUND,
 * INVALID_FORM_BODY with BOT_DISCRIMINATOR_CANNOT_BE_CHANGED, USERNAME_CHANGED_TOO_MANY_TIMES or a code of usernames or
 * images, INVALID_BOT_FLAG, USERNAME_NOT_AVAILABLE. See rules/applications#change-the-bot.
 */
export function changeBot(ports: Needs) {
  return async (caller: Caller, id: ApplicationId, patch: BotPatch): Promise<ApplicationBotObject> => {
    await requireOwnApplication(ports, caller, id)
    const bot = await botState(ports, id)
    const tag = wishedBotTag(ports, bot, patch)
    if (patch.bot_flags !== undefined && (patch.bot_flags & ~botFlags) !== 0) reject('INVALID_BOT_FLAG')
    const images = await readPersonImages(ports, caller, { ...bot, bot: true }, patch, (image) =>
      chargeChange(ports, image, bot.id),
    )
    if (tag) await changeBotTag(ports, bot, tag, caller)
    const { account } = ports.aggregates
    const { bio, bot_flags: flags } = patch
    await changeProfile(ports, bot, { profile: bio === undefined ? {} : { bio }, images }, caller.context)
    if (flags !== undefined) await account.execute(bot.id, { type: 'ChangeBotFlags', flags }, caller.context)
    await ports.readModels.reached(caller.context.written)
    return botObject(await requireBotAccount(ports, id))
  }
}

async function botState({ aggregates }: Needs, id: ApplicationId): Promise<Account> {
  const { state } = await aggregates.account.load(botOf(id))
  return state.status === 'registered' && state.bot ? state : reject('BOT_USER_NOT_FOUND')
}

/** A discriminator may only be sent unchanged: it comes with the username. */
function wishedBotTag({ instance }: Needs, bot: Account, patch: BotPatch): TagWish | undefined {
  const { username, discriminator } = patch
  if (discriminator !== undefined && discriminator !== bot.discriminator)
    reject('INVALID_FORM_BODY', field('discriminator', 'BOT_DISCRIMINATOR_CANNOT_BE_CHANGED'))
  return wishedTag(bot, { username, password: null }, instance.serviceName)
}

async function changeBotTag(ports: Needs, bot: Account, tag: TagWish, { context }: Caller): Promise<void> {
  await requireTagChange(ports, bot, tag)
  try {
    await changeTag(ports, bot, tag, context)
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === 'INVALID_FORM_BODY') reject('USERNAME_NOT_AVAILABLE')
    throw error
  }
}
