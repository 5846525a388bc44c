import type { AccountQueries } from '../../ports/queries/account-queries.ts'
import type { SessionTokens } from '../../ports/session-tokens.ts'
import { sessionTokenHash } from './session-token.ts'

/** Resolves session tokens by queries of accounts. */
export function sessionTokensIn(accounts: Pick<AccountQueries, 'bySession'>): SessionTokens {
  return {
    async resolve(token) {
      const tokenHash = sessionTokenHash(token)
      const account = await accounts.bySession(tokenHash)
      return account && { account, tokenHash }
    },
  }
}
