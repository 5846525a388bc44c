import type { ApplicationId } from '../../../domain/ids/ids.js'
import { msOf } from '../../../domain/kernel/timestamp.js'
import { isClosed } from '../../access/account-standing.js'
import type { AccessTokens } from '../../ports/credentials.js'
import type { Ports } from '../../ports.js'
import { secretHash } from '../../secrets/secret-hash.js'

export interface AccessTokensSettings extends Pick<Ports, 'queries'> {
  /** The built-in Admin OAuth2 application; undefined if there is none. */
  readonly adminApplicationId: ApplicationId | undefined
  /** Milliseconds since the Unix epoch; this process's clock by default. */
  readonly now?: () => number
}

/**
 * Resolves OAuth2 access tokens. Each is read for every request, so that a token revoked by any process is invalid in all
 * processes at once. Tokens of an account that nobody can sign in to are invalid too.
 */
export function accessTokensIn({ queries, adminApplicationId, now = Date.now }: AccessTokensSettings): AccessTokens {
  return {
    async resolve(token) {
      const found = await queries.oauth2.token(secretHash(token))
      if (found?.kind !== 'access' || now() >= msOf(found.expiresAt)) return undefined
      const account = await queries.accounts.find(found.accountId)
      if (!account || isClosed(account)) return undefined
      const { applicationId, scopes, expiresAt } = found
      const isAdminApplication = applicationId === adminApplicationId
      return { account, applicationId, scopes: new Set(scopes), isAdminApplication, expiresAt }
    },
  }
}
