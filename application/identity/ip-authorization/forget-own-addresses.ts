import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'

/** Removes all authorised networks of the caller's account: signing in from them takes a mail again. */
export function forgetOwnAddresses({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async ({ account, context }: Caller): Promise<void> => {
    await aggregates.account.execute(account.id, { type: 'ForgetIpAddresses' }, context)
  }
}
