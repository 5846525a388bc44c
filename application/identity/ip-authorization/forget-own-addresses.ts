import type { Caller } from '../../caller.js'
import type { Ports } from '../../ports.js'

/** Forgets every network that the caller's account signs in from without a mail. Reference identity 6.3, row 3. */
export function forgetOwnAddresses({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async ({ account, context }: Caller): Promise<void> => {
    await aggregates.account.execute(account.id, { type: 'ForgetIpAddresses' }, context)
  }
}
