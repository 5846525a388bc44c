import type { AccountId } from '../../domain/ids/ids.js'
import type { Caller } from '../caller.js'
import { reject } from '../commands/refused.js'
import { partialUserObject, type PartialUserObject } from '../objects/user-objects.js'
import type { Ports } from '../ports.js'
import type { ClaimedTag } from '../accounts/claim-identity.js'

/** What everybody may see of an account. Refuses with UNKNOWN_USER. Reference identity 6.4, row 1. */
export function getUser({ queries }: Pick<Ports, 'queries'>) {
  return async (id: AccountId): Promise<PartialUserObject> => {
    const account = await queries.accounts.find(id)
    return account ? partialUserObject(account) : reject('UNKNOWN_USER')
  }
}

/** Whether somebody else has a tag. Reference identity 6.4, row 3. */
export function checkTag({ queries }: Pick<Ports, 'queries'>) {
  return async ({ account }: Caller, { username, discriminator }: ClaimedTag): Promise<{ readonly taken: boolean }> => {
    const holder = await queries.accounts.byTag(username, discriminator)
    return { taken: holder !== undefined && holder.id !== account.id }
  }
}
