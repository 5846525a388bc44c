import type { Caller } from '../../caller.js'
import type { PrivateUserObject } from '../../wire-objects/identity/user-objects.js'
import type { Ports } from '../../ports.js'
import { renewedUser } from './renewed-user.js'

/** Records that the caller accepts the terms and the privacy policy now. */
export function acceptTerms(ports: Pick<Ports, 'aggregates' | 'queries' | 'readModels'>) {
  return async (caller: Caller): Promise<PrivateUserObject> => {
    const { account, context } = caller
    await ports.aggregates.account.execute(account.id, { type: 'AcceptTerms', now: context.now }, context)
    return renewedUser(ports, caller)
  }
}
