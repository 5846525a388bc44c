import type { Account } from '../../../domain/account/state.ts'
import { botFlags } from '../../../domain/account/flags.ts'
import { botOf, type ApplicationId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { botObject, type ApplicationBotObject } from '../../wire-objects/apps/application-objects.ts'
import {
  changeBotProfile,
  wishedBotTag,
  type BotProfileNeeds,
  type BotProfilePatch,
} from '../../identity/own-account/change-bot-profile.ts'
import type { Ports } from '../../ports.ts'
import { requireBotAccount, requireOwnApplication } from './own-application.ts'

/** The body of Update bot profile, with its member names; undefined for members that were not sent. */
export interface BotPatch extends BotProfilePatch {
  readonly bot_flags?: number | undefined
}

type Needs = BotProfileNeeds & Pick<Ports, 'readModels'>

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
    await changeBotProfile(ports, caller, bot, { patch, tag })
    const { account } = ports.aggregates
    const { bot_flags: flags } = patch
    if (flags !== undefined) await account.execute(bot.id, { type: 'ChangeBotFlags', flags }, caller.context)
    await ports.readModels.reached(caller.context.written)
    return botObject(await requireBotAccount(ports, id))
  }
}

async function botState({ aggregates }: Needs, id: ApplicationId): Promise<Account> {
  const { state } = await aggregates.account.load(botOf(id))
  return state.status === 'registered' && state.bot ? state : reject('BOT_USER_NOT_FOUND')
}
