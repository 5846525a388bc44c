import type { ApplicationId } from '../../../domain/ids/ids.ts'
import { msOf, timestamp } from '../../../domain/kernel/timestamp.ts'
import { openAccount } from '../../access/open-account.ts'
import { stillSpeaks } from '../../access/still-speaks.ts'
import type { AccessTokens } from '../../ports/credentials.ts'
import type { Ports } from '../../ports.ts'
import { secretHash } from '../../secrets/secret-hash.ts'

export interface AccessTokensSettings extends Pick<Ports, 'aggregates' | 'events' | 'queries' | 'readModels'> {
  /** The built-in Admin OAuth2 application; undefined if there is none. */
  readonly adminApplicationId: ApplicationId | undefined
  /** Milliseconds since the Unix epoch; this process's clock by default. */
  readonly now?: () => number
}

/**
 * Resolves OAuth2 access tokens. Each is read for every request, so that a token revoked by any process is invalid in all
 * processes at once. Those of an account that is closed or a bot are invalid too; a ban that is over ends here.
 */
export function accessTokensIn(settings: AccessTokensSettings): AccessTokens {
  const { queries, adminApplicationId, now = Date.now } = settings
  const open = openAccount(settings, 'person')
  return {
    async resolve(token) {
      const found = await queries.oauth2.token(secretHash(token))
      const now_ms = now()
      if (found?.kind !== 'access' || now_ms >= msOf(found.expiresAt)) return undefined
      const account = await open(await queries.accounts.find(found.accountId), timestamp(now_ms))
      if (!account || !stillSpeaks(account, found)) return undefined
      const { applicationId, scopes, expiresAt } = found
      const isAdminApplication = applicationId === adminApplicationId
      return { account, applicationId, scopes: new Set(scopes), isAdminApplication, expiresAt }
    },
  }
}
