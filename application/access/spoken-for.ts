import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { AccountRecord } from '../ports/queries/account-queries.ts'
import type { OAuth2TokenRecord } from '../ports/queries/oauth2-queries.ts'
import { openAccount, type OpenAccountNeeds } from './open-account.ts'
import { stillSpeaks } from './still-speaks.ts'

type Speaking = Pick<OAuth2TokenRecord, 'accountId' | 'delegationVersion' | 'sessionHash'>

/**
 * Gives the account that a code or token of an application speaks for now. Undefined if the account is closed, or has
 * ended its delegations since, or if the session that the token ends with is over.
 */
export function spokenFor(needs: OpenAccountNeeds) {
  const open = openAccount(needs, 'person')
  return async (grant: Speaking, now: Timestamp): Promise<AccountRecord | undefined> => {
    const { accountId, sessionHash } = grant
    const { accounts } = needs.queries
    const account = await open(
      sessionHash === null ? await accounts.find(accountId) : await accounts.bySession(sessionHash),
      now,
    )
    return account?.id === accountId && stillSpeaks(account, grant) ? account : undefined
  }
}
