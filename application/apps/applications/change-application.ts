import type { ApplicationSettings } from '../../../domain/application/state.ts'
import type { ApplicationId } from '../../../domain/ids/ids.ts'
import { newBotToken } from '../../identity/tokens/bot-tokens.ts'
import type { Caller } from '../../caller.ts'
import {
  applicationObject,
  ownBotObject,
  type ApplicationObject,
  type OwnBotObject,
} from '../../wire-objects/apps/application-objects.ts'
import type { Ports } from '../../ports.ts'
import { newSecret, secretHash } from '../../secrets/secret-hash.ts'
import { botAccountOf, requireBotAccount, requireOwnApplication } from './own-application.ts'

type Needs = Pick<Ports, 'aggregates' | 'queries' | 'readModels'>

/**
 * Changes one of the caller's applications. Settings that are not named stay as they are. Refuses with
 * UNKNOWN_APPLICATION, ACCESS_DENIED. See rules/applications#own-applications.
 */
export function changeApplication(ports: Needs) {
  return async (
    caller: Caller,
    id: ApplicationId,
    changes: Partial<ApplicationSettings>,
  ): Promise<ApplicationObject> => {
    await requireOwnApplication(ports, caller, id)
    await ports.aggregates.application.execute(id, { type: 'ChangeApplication', changes }, caller.context)
    await ports.readModels.reached(caller.context.written)
    return applicationObject(await requireOwnApplication(ports, caller, id), await botAccountOf(ports, id))
  }
}

/** What the owner gets of a reset: the new token, shown only here, and the bot. */
export interface BotTokenResetObject {
  readonly token: string
  readonly bot: OwnBotObject
}

/**
 * Gives the bot a new token, shown only here. The previous token becomes invalid, and the Gateway ends the sessions
 * that began with it. Refuses with UNKNOWN_APPLICATION, ACCESS_DENIED, BOT_USER_NOT_FOUND. See
 * rules/applications#reset.
 */
export function resetBotToken(ports: Needs) {
  return async (caller: Caller, id: ApplicationId): Promise<BotTokenResetObject> => {
    await requireOwnApplication(ports, caller, id)
    const bot = await requireBotAccount(ports, id)
    const token = newBotToken(id, caller.context)
    const { delegationVersion } = caller.account
    const command = { type: 'ResetBotToken', botTokenHash: secretHash(token), delegationVersion } as const
    await ports.aggregates.application.execute(id, command, caller.context)
    return { token, bot: ownBotObject(bot) }
  }
}

/**
 * Gives the application a new client secret, shown only here. Refuses with UNKNOWN_APPLICATION, ACCESS_DENIED. See
 * rules/applications#reset.
 */
export function resetClientSecret(ports: Needs) {
  return async (caller: Caller, id: ApplicationId): Promise<ApplicationObject> => {
    const application = await requireOwnApplication(ports, caller, id)
    const clientSecret = newSecret(caller.context)
    const command = { type: 'ResetClientSecret', clientSecretHash: secretHash(clientSecret) } as const
    await ports.aggregates.application.execute(id, command, caller.context)
    return applicationObject(application, undefined, { clientSecret })
  }
}
