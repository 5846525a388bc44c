import { botOf, type AccountId } from '../../../domain/ids/ids.ts'
import { usersOf } from '../../conversations/relationships/read-relationships.ts'
import type { Ports } from '../../ports.ts'
import {
  adminApplicationObject,
  type AdminApplicationObject,
} from '../../wire-objects/administration/admin-application-object.ts'
import { requireAccount } from './require-account.ts'

/** All applications that the account owns, oldest first. Refuses with UNKNOWN_USER. */
export function listUserApplications({ queries }: Pick<Ports, 'queries'>) {
  return async (target: AccountId): Promise<readonly AdminApplicationObject[]> => {
    const owner = await requireAccount({ queries }, target)
    const applications = await queries.applications.ofOwner(target)
    const bots = await usersOf(
      { queries },
      applications.map(({ id }) => botOf(id)),
    )
    return applications.map((application) =>
      adminApplicationObject(application, owner, bots.get(botOf(application.id))),
    )
  }
}
