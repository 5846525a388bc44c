import { applicationId, botOf, type ApplicationId } from '../../../domain/ids/ids.ts'
import type { Caller, Requester } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import {
  applicationObject,
  currentBotApplicationObject,
  publicApplicationObject,
  type ApplicationObject,
  type CurrentBotApplicationObject,
  type PublicApplicationObject,
} from '../../wire-objects/apps/application-objects.ts'
import type { Ports } from '../../ports.ts'
import { botAccountOf, requireOwnApplication } from './own-application.ts'

type Needs = Pick<Ports, 'queries'>

/** The applications that the caller owns, the oldest first. */
export function listOwnApplications({ queries }: Needs) {
  return async ({ account }: Caller): Promise<readonly ApplicationObject[]> => {
    const applications = await queries.applications.ofOwner(account.id)
    const bots = await queries.accounts.findMany(applications.map(({ id }) => botOf(id)))
    const botById = new Map(bots.filter(({ bot }) => bot).map((bot) => [bot.id, bot]))
    return applications.map((application) => applicationObject(application, botById.get(botOf(application.id))))
  }
}

/** The application of the calling bot. Refuses with UNKNOWN_APPLICATION if it was deleted meanwhile. */
export function getCurrentBotApplication({ queries }: Needs) {
  return async ({ account: bot }: Caller): Promise<CurrentBotApplicationObject> => {
    const application = await queries.applications.find(applicationId(bot.id))
    if (!application) return reject('UNKNOWN_APPLICATION')
    const owner = await queries.accounts.find(application.ownerId)
    return owner ? currentBotApplicationObject(application, bot, owner) : reject('UNKNOWN_APPLICATION')
  }
}

/** A user's applications, or a bot's own application. */
export function applicationsOfCaller(ports: Needs) {
  const [listOwn, current] = [listOwnApplications(ports), getCurrentBotApplication(ports)]
  return (caller: Caller): Promise<readonly ApplicationObject[] | CurrentBotApplicationObject> =>
    caller.credential.kind === 'bot' ? current(caller) : listOwn(caller)
}

/**
 * The public data of an application. With a user session, the answer also says who the caller is. Refuses with
 * UNKNOWN_APPLICATION.
 */
export function getPublicApplication(ports: Needs) {
  return async (
    { account, credential }: Requester & Partial<Pick<Caller, 'account' | 'credential'>>,
    id: ApplicationId,
  ): Promise<PublicApplicationObject> => {
    const application = await ports.queries.applications.find(id)
    if (!application) return reject('UNKNOWN_APPLICATION')
    const viewer = credential?.kind === 'session' ? account : undefined
    return publicApplicationObject(application, await botAccountOf(ports, id), viewer)
  }
}

/** One of the caller's applications. Refuses with UNKNOWN_APPLICATION, ACCESS_DENIED. */
export function getApplication(ports: Needs) {
  return async (caller: Caller, id: ApplicationId): Promise<ApplicationObject> =>
    applicationObject(await requireOwnApplication(ports, caller, id), await botAccountOf(ports, id))
}
