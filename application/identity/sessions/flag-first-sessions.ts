import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { Refused } from '../../commands/refused.ts'
import { systemContext } from '../../commands/system-context.ts'
import type { Ports } from '../../ports.ts'

export type FirstSessionNeeds = Pick<Ports, 'startedSessions'> & {
  readonly aggregates: Pick<Ports['aggregates'], 'account'>
}

/** The accounts that one call gives their flag. */
const accounts_max = 200

/**
 * Gives HAS_SESSION_STARTED to accounts that have started their first Gateway session since the last call. Called again and
 * again. A Gateway carries out no commands: it notes the session, and a worker says so in the account's history, once.
 */
export function flagFirstSessions(needs: FirstSessionNeeds) {
  return async (now: Timestamp): Promise<void> => {
    const accounts = await needs.startedSessions.withoutFlag(accounts_max)
    for (const account of accounts) await flag(needs, account, now)
    if (accounts.length > 0) await needs.startedSessions.flagged(accounts)
  }
}

async function flag({ aggregates }: FirstSessionNeeds, account: AccountId, now: Timestamp): Promise<void> {
  try {
    await aggregates.account.execute(account, { type: 'NoteGatewaySession' }, systemContext('first sessions', now))
  } catch (error) {
    // The account was erased meanwhile.
    if (!(error instanceof Refused) || error.refusal.code !== 'UNKNOWN_USER') throw error
  }
}
