import type { Caller } from '../../caller.ts'
import type { PrivateUserObject } from '../../wire-objects/identity/user-objects.ts'
import type { Ports } from '../../ports.ts'
import { renewedUser } from './renewed-user.ts'

/** Records that the caller accepts the terms and the privacy policy now. */
export function acceptTerms(ports: Pick<Ports, 'aggregates' | 'queries' | 'readModels'>) {
  return async (caller: Caller): Promise<PrivateUserObject> => {
    const { account, context } = caller
    await ports.aggregates.account.execute(account.id, { type: 'AcceptTerms', now: context.now }, context)
    return renewedUser(ports, caller)
  }
}
