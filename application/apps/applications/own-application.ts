import { botOf, type ApplicationId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { ApplicationRecord } from '../../ports/queries/application-queries.ts'

type Needs = Pick<Ports, 'queries'>

/**
 * An application that the caller owns. Refuses with UNKNOWN_APPLICATION first, then ACCESS_DENIED: everybody may know
 * that it exists.
 */
export async function requireOwnApplication(
  { queries }: Needs,
  { account }: Pick<Caller, 'account'>,
  id: ApplicationId,
): Promise<ApplicationRecord> {
  const application = await queries.applications.find(id)
  if (!application) return reject('UNKNOWN_APPLICATION')
  return application.ownerId === account.id ? application : reject('ACCESS_DENIED')
}

/** The bot of an application; undefined if its account does not exist yet, or no longer, or is not a bot any more. */
export async function botAccountOf({ queries }: Needs, id: ApplicationId): Promise<AccountRecord | undefined> {
  const bot = await queries.accounts.find(botOf(id))
  return bot?.bot === true ? bot : undefined
}

/** The same, but refuses with BOT_USER_NOT_FOUND if there is none. */
export async function requireBotAccount(needs: Needs, id: ApplicationId): Promise<AccountRecord> {
  return (await botAccountOf(needs, id)) ?? reject('BOT_USER_NOT_FOUND')
}
