import {
  allowInsecureRequests,
  customFetch,
  discoveryRequest,
  processDiscoveryResponse,
  type AuthorizationServer,
} from 'oauth4webapi'
import type { OpenIdClient } from '../../application/ports/openid-provider.ts'
import { boundedFetch, isUsable } from './bounded-fetch.ts'

/** The accepted signatures of ID tokens: with a private key that only the provider has, never with a shared secret. */
const signingAlgorithms: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** The options of requests to a provider. `isUsable` decides which may be unencrypted. */
export function requestOptions(issuer: string) {
  return { [customFetch]: boundedFetch(issuer), [allowInsecureRequests]: true }
}

/** A provider's endpoints: from the policy, or by discovery for those that it does not name. Rejects if discovery fails. */
export async function providerMetadata(client: OpenIdClient): Promise<AuthorizationServer> {
  const { issuer } = client
  const { authorizationUrl, tokenUrl, userinfoUrl, jwksUrl } = client
  if (!isUsable(issuer, issuer)) throw new Error('the issuer has to be an https URL')
  const isWhole = [authorizationUrl, tokenUrl, userinfoUrl, jwksUrl].every((url) => url !== null)
  const discovered: AuthorizationServer = isWhole ? { issuer } : await discover(issuer)
  const said = discovered.id_token_signing_alg_values_supported
  const metadata = {
    ...discovered,
    ...withoutNull({
      authorization_endpoint: authorizationUrl,
      token_endpoint: tokenUrl,
      userinfo_endpoint: userinfoUrl,
      jwks_uri: jwksUrl,
    }),
    id_token_signing_alg_values_supported: signingAlgorithms.filter((name) => said?.includes(name) ?? true),
    // The answer at the redirect URI comes without `iss`: clients pass on its code and state alone.
    authorization_response_iss_parameter_supported: false,
  }
  requireEndpoints(metadata)
  return metadata
}

async function discover(issuer: string): Promise<AuthorizationServer> {
  const identifier = new URL(issuer)
  return processDiscoveryResponse(identifier, await discoveryRequest(identifier, requestOptions(issuer)))
}

function withoutNull(members: Readonly<Record<string, string | null>>): Partial<AuthorizationServer> {
  return Object.fromEntries(Object.entries(members).filter(([, url]) => url !== null))
}

function requireEndpoints(metadata: AuthorizationServer): void {
  const { issuer, authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = metadata
  const needed = { authorization_endpoint, token_endpoint, jwks_uri }
  for (const [name, url] of Object.entries(needed)) {
    if (url === undefined || !isUsable(url, issuer)) throw new Error(`the provider has no usable ${name}`)
  }
  if (userinfo_endpoint !== undefined && !isUsable(userinfo_endpoint, issuer))
    throw new Error('the provider has no usable userinfo_endpoint')
}
