import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { Refused } from '../../commands/refused.ts'
import type { CommandContext, WorkCause } from '../../commands/command-context.ts'
import { causedContext, systemContext } from '../../commands/system-context.ts'
import type { Ports } from '../../ports.ts'

/**
 * Marks an address that a mail server has rejected permanently, on each account that has it. Its holder may then change
 * it without proving it. It belongs to the chain that the mail had as its cause.
 */
export function markBounced({ addressHash, aggregates }: Pick<Ports, 'addressHash' | 'aggregates'>) {
  return async (email: string, cause: WorkCause | undefined, now: Timestamp): Promise<void> => {
    const { state: address } = await aggregates.emailAddress.load(addressHash(email))
    if (address.status === 'free') return
    const mark = { type: 'MarkEmailAddressBounced', email, now } as const
    for (const accountId of [address.accountId, ...address.waiting]) {
      try {
        await aggregates.account.execute(accountId, mark, contextOf(cause, now))
      } catch (error) {
        // An address is claimed before its account has it, and released after the account is gone.
        if (!(error instanceof Refused) || error.refusal.code !== 'UNKNOWN_USER') throw error
      }
    }
  }
}

function contextOf(cause: WorkCause | undefined, now: Timestamp): CommandContext {
  return cause ? causedContext({ ...cause, eventId: cause.causationId }, 'mail', now) : systemContext('mail', now)
}
