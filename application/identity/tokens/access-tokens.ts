import type { ApplicationId } from '../../../domain/ids/ids.ts'
import { msOf, timestamp } from '../../../domain/kernel/timestamp.ts'
import { spokenFor } from '../../access/spoken-for.ts'
import type { AccessTokens } from '../../ports/credentials.ts'
import type { Ports } from '../../ports.ts'
import { secretHash } from '../../secrets/secret-hash.ts'

export interface AccessTokensSettings extends Pick<Ports, 'aggregates' | 'events' | 'queries' | 'readModels'> {
  /** The OAuth2 applications whose tokens act as administrators: the console, and the one that the operator names. */
  readonly adminApplicationIds: readonly ApplicationId[]
  /** Milliseconds since the Unix epoch; this process's clock by default. */
  readonly now?: () => number
}

/**
 * Resolves OAuth2 access tokens. Each is read for every request, so that a token revoked by any process is invalid in all
 * processes at once. Those that speak for nobody any more are invalid too; a ban that is over ends here.
 */
export function accessTokensIn(settings: AccessTokensSettings): AccessTokens {
  const { queries, adminApplicationIds, now = Date.now } = settings
  const accountOf = spokenFor(settings)
  return {
    async resolve(token) {
      const found = await queries.oauth2.token(secretHash(token))
      const now_ms = now()
      if (found?.kind !== 'access' || now_ms >= msOf(found.expiresAt)) return undefined
      const account = await accountOf(found, timestamp(now_ms))
      if (!account) return undefined
      const { applicationId, scopes, expiresAt, sessionHash } = found
      const isAdminApplication = adminApplicationIds.includes(applicationId)
      // Only tokens of the console end with a session: where it is switched off, nobody is signed in to it.
      if (sessionHash !== null && !isAdminApplication) return undefined
      const grant = { account, applicationId, scopes: new Set(scopes), isAdminApplication, expiresAt }
      return sessionHash === null ? grant : { ...grant, sessionHash }
    },
  }
}
