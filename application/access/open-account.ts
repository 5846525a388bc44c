import { isBanOver } from '../../domain/account/ban.ts'
import { streamName } from '../../domain/streams.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { dueContext, type DueNeeds } from '../commands/due-context.ts'
import { Refused } from '../commands/refused.ts'
import type { AccountRecord } from '../ports/queries/account-queries.ts'
import type { Ports } from '../ports.ts'
import { isClosed } from './account-standing.ts'

export interface OpenAccountNeeds extends DueNeeds {
  readonly aggregates: Pick<Ports['aggregates'], 'account'>
  readonly queries: DueNeeds['queries'] & Pick<Ports['queries'], 'accounts'>
  readonly readModels: Ports['readModels']
}

/** Whose a credential is. A bot acts by its bot token alone, and nobody but a bot has one. */
export type CredentialOf = 'person' | 'bot'

/**
 * Gives the account behind a credential if the credential works now; undefined for a closed account, and for one that
 * is not of the credential's kind (any more). Ends a ban that is over first: it is cleared by the request that finds it
 * so, a bot's too.
 */
export type OpenAccount = (account: AccountRecord | undefined, now: Timestamp) => Promise<AccountRecord | undefined>

export function openAccount(needs: OpenAccountNeeds, kind: CredentialOf): OpenAccount {
  const { aggregates, queries, readModels } = needs
  async function withoutBan({ id }: AccountRecord, now: Timestamp): Promise<AccountRecord | undefined> {
    const context = await dueContext(needs, 'expired ban', streamName('account', id), now)
    try {
      await aggregates.account.execute(id, { type: 'EndExpiredBan', now }, context)
    } catch (error) {
      // The erasure of the account began after it was looked up.
      if (error instanceof Refused && error.refusal.code === 'UNKNOWN_USER') return undefined
      throw error
    }
    await readModels.reached(context.settled)
    return queries.accounts.find(id)
  }

  const works = (account: AccountRecord, now: Timestamp): boolean =>
    account.bot === (kind === 'bot') && !isClosed(account, now)

  return async (found, now) => {
    if (!found || !works(found, now)) return undefined
    if (!isBanOver(found, now)) return found
    const account = await withoutBan(found, now)
    return account && works(account, now) ? account : undefined
  }
}
