import { noDiscriminator } from '../../../domain/handle/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { partialUserObject, type PartialUserObject } from '../../wire-objects/identity/user-objects.ts'
import type { Ports } from '../../ports.ts'
import type { ClaimedTag } from '../accounts/claim-identity.ts'

type CheckTagNeeds = Pick<Ports, 'aggregates' | 'instancePolicies' | 'queries'>

/** The public data of an account. Refuses with UNKNOWN_USER. */
export function getUser({ queries }: Pick<Ports, 'queries'>) {
  return async (id: AccountId): Promise<PartialUserObject> => {
    const account = await queries.accounts.find(id)
    return account ? partialUserObject(account) : reject('UNKNOWN_USER')
  }
}

/**
 * Whether somebody else has a tag or, where usernames alone are unique, the username. There it refuses with
 * INVALID_FORM_BODY with DISCRIMINATOR_NOT_SUPPORTED_ON_INSTANCE for any discriminator but 0.
 */
export function checkTag({ aggregates, instancePolicies, queries }: CheckTagNeeds) {
  return async ({ account }: Caller, { username, discriminator }: ClaimedTag): Promise<{ readonly taken: boolean }> => {
    const { accountIdentity } = await instancePolicies.current()
    if (accountIdentity.tagStyle === 'none') {
      if (discriminator !== noDiscriminator)
        reject('INVALID_FORM_BODY', field('discriminator', 'DISCRIMINATOR_NOT_SUPPORTED_ON_INSTANCE'))
      const { state } = await aggregates.handle.load(username.toLowerCase())
      return { taken: state.status === 'claimed' && state.held.some(([, holder]) => holder !== account.id) }
    }
    const holder = await queries.accounts.byTag(username, discriminator)
    return { taken: holder !== undefined && holder.id !== account.id }
  }
}
