import { authorizationId } from '../../../domain/ids/ids.ts'
import { msOf, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { scopeText } from '../../../domain/oauth2-authorization/scopes.ts'
import { spokenFor } from '../../access/spoken-for.ts'
import type { Requester } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import type { OAuth2TokenRecord } from '../../ports/queries/oauth2-queries.ts'
import { secretHash } from '../../secrets/secret-hash.ts'
import { endCodes } from './authorization-code.ts'
import { authenticateClient, isBasic, type ClientFields } from './client-authentication.ts'
import { rejectOAuth2 } from './protocol-error.ts'

export interface IntrospectionForm extends ClientFields {
  readonly token: string
}

export interface RevocationForm extends IntrospectionForm {
  readonly tokenTypeHint: 'access_token' | 'refresh_token' | null
}

/** What a client learns of one of its tokens; nothing of any other one. */
export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true
      readonly scope: string
      readonly client_id: string
      readonly token_type: 'Bearer' | 'refresh_token'
      /** Unix seconds; only for access tokens. */
      readonly exp?: number
      readonly iat: number
      readonly sub: string
    }

type Needs = Pick<Ports, 'aggregates' | 'events' | 'queries' | 'readModels' | 'tickets'>

/**
 * Tells a client about one of its tokens. Unknown tokens and those of other clients are inactive. Refuses with invalid_request if
 * the client authenticates twice, and invalid_client.
 */
export function introspectToken(ports: Needs) {
  return async (caller: Requester, form: IntrospectionForm): Promise<Introspection> => {
    if (isBasic(caller) && (form.clientId !== null || form.clientSecret !== null))
      return rejectOAuth2('invalid_request', 'The client proves itself either in the header or in the form.')
    const client = await authenticateClient(ports, caller, form)
    const { now } = caller.context
    const token = await ports.queries.oauth2.token(secretHash(form.token))
    if (token?.applicationId !== client.id || msOf(now) >= msOf(token.expiresAt)) return { active: false }
    return (await spokenFor(ports)(token, now)) ? introspectionOf(token) : { active: false }
  }
}

function introspectionOf({
  kind,
  scopes,
  accountId,
  applicationId,
  issuedAt,
  expiresAt,
}: OAuth2TokenRecord): Introspection {
  return {
    active: true,
    scope: scopeText(scopes),
    client_id: applicationId,
    token_type: kind === 'access' ? 'Bearer' : 'refresh_token',
    ...(kind === 'access' ? { exp: unixSeconds(expiresAt) } : {}),
    iat: unixSeconds(issuedAt),
    sub: accountId,
  }
}

const unixSeconds = (instant: Timestamp): number => Math.floor(msOf(instant) / 1000)

/**
 * Revokes everything that an account granted a client, by one of its tokens. A refresh token needs the hint that it is one. A
 * token of another client revokes nothing, and the answer does not say so. Refuses with invalid_client.
 */
export function revokeToken(ports: Needs) {
  return async (caller: Requester, form: RevocationForm): Promise<void> => {
    const client = await authenticateClient(ports, caller, form)
    const token = await ports.queries.oauth2.token(secretHash(form.token))
    if (token?.applicationId !== client.id) return
    if (token.kind === 'refresh' && form.tokenTypeHint !== 'refresh_token') return
    const { context } = caller
    await endCodes(ports, token)
    await ports.aggregates.oauth2Authorization.execute(
      authorizationId(token.accountId, client.id),
      { type: 'RevokeAuthorization', by: 'application', now: context.now },
      context,
    )
  }
}
