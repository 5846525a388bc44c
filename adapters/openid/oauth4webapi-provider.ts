import { LRUCache } from 'lru-cache'
import { calculatePKCECodeChallenge, type AuthorizationServer } from 'oauth4webapi'
import type { OpenIdClient, OpenIdProvider } from '../../application/ports/openid-provider.ts'
import { parsed, unparsed, type Parsed } from '../../domain/kernel/parsed.ts'
import { identityOf } from './identity-claims.ts'
import { providerMetadata } from './provider-metadata.ts'
import { ProviderFailure, redeemCode, userInfo } from './redeem-code.ts'

export interface ProviderSettings {
  /** Called for each failure, for the log. Its words hold neither secrets nor the provider's text. */
  readonly onFailure: (failure: { readonly code: ProviderFailure['code']; readonly reason: string }) => void
}

/** How long a provider's metadata is cached. */
const metadata_ms = 600_000
/** A policy names one provider. The others are those that it named until recently. */
const metadata_max = 8

/** Talks to OpenID providers through oauth4webapi, which verifies their answers. */
export function oauth4webapiProvider({ onFailure }: ProviderSettings): OpenIdProvider {
  const known = new LRUCache<string, AuthorizationServer, OpenIdClient>({
    max: metadata_max,
    ttl: metadata_ms,
    fetchMethod: (_key, _stale, { context }) => providerMetadata(context),
  })

  async function metadataOf(client: OpenIdClient): Promise<AuthorizationServer> {
    const { issuer, authorizationUrl, tokenUrl, userinfoUrl, jwksUrl } = client
    const key = JSON.stringify([issuer, authorizationUrl, tokenUrl, userinfoUrl, jwksUrl])
    try {
      return await known.forceFetch(key, { context: client })
    } catch (error) {
      throw new ProviderFailure('SSO_MISCONFIGURED', error)
    }
  }

  async function told<Value>(act: () => Promise<Value>): Promise<Parsed<Value>> {
    try {
      return parsed(await act())
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      onFailure({ code: error.code, reason: error.reason })
      return unparsed(error.code)
    }
  }

  return {
    authorizationUrl: (client, { redirectUri, state, nonce, codeVerifier }) =>
      told(async () => {
        const { authorization_endpoint: endpoint = '' } = await metadataOf(client)
        const url = new URL(endpoint)
        const parameters = {
          response_type: 'code',
          client_id: client.clientId,
          scope: client.scope,
          redirect_uri: redirectUri,
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        }
        for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
        return url.href
      }),
    redeem: (client, request) =>
      told(async () => {
        const metadata = await metadataOf(client)
        const { claims, accessToken } = await redeemCode(metadata, client, request)
        return identityOf(claims, await userInfo(metadata, client, accessToken, claims.sub))
      }),
  }
}
