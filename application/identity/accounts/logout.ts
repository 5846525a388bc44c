import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'

/** Ends the session of the request. A bot has none, so nothing happens. */
export function logout({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async ({ account, credential, context }: Caller): Promise<void> => {
    if (credential.kind !== 'session') return
    const { tokenHash } = credential
    await aggregates.account.execute(account.id, { type: 'EndSession', tokenHash }, context)
  }
}
