import {
  authorizationCodeGrantRequest,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  getValidatedIdTokenClaims,
  JSON_ATTRIBUTE_COMPARISON,
  None,
  OperationProcessingError,
  processAuthorizationCodeResponse,
  processUserInfoResponse,
  ResponseBodyError,
  userInfoRequest,
  validateApplicationLevelSignature,
  validateAuthResponse,
  type AuthorizationServer,
  type Client,
  type ClientAuth,
  type IDToken,
  type TokenEndpointResponse,
  type UserInfoResponse,
} from 'oauth4webapi'
import type { OpenIdClient, SignOnSecrets } from '../../application/ports/openid-provider.ts'
import { requestOptions } from './provider-metadata.ts'

/** How far the provider's clock may be off, in seconds. */
const clockTolerance_s = 30

/** The provider, or its answer, can't be used. `reason` holds neither secrets nor the provider's text. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  readonly code:
    | 'SSO_MISCONFIGURED'
    | 'INVALID_SSO_AUTHORIZATION_CODE'
    | 'INVALID_SSO_TOKEN'
    | 'FAILED_TO_FETCH_SSO_USER_INFO'
    | 'FAILED_TO_PARSE_SSO_USER_INFO'
    | 'SSO_IDENTITY_MISMATCH'
  readonly reason: string

  constructor(code: ProviderFailure['code'], cause: unknown) {
    super(code)
    this.code = code
    this.reason = reasonOf(cause)
  }
}

/** The library's own words, or only the error code of the system or the provider. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const said: unknown = error instanceof ResponseBodyError ? error.error : Reflect.get(Object(error.cause), 'code')
  return typeof said === 'string' && /^\w{1,64}$/.test(said) ? `${error.message} (${said})` : error.message
}

/** The result of redeeming a code: the verified claims of the ID token, and the access token for user info. */
export interface Redeemed {
  readonly claims: IDToken
  readonly accessToken: string
}

/** Redeems a code and verifies the ID token: signature, issuer, audience, times and nonce. Throws ProviderFailure. */
export async function redeemCode(
  metadata: AuthorizationServer,
  client: OpenIdClient,
  request: SignOnSecrets & { readonly code: string },
): Promise<Redeemed> {
  const answer = await askForTokens(metadata, client, request)
  const tokens = await verifiedTokens(metadata, client, answer, request.nonce)
  const claims = getValidatedIdTokenClaims(tokens)
  if (!claims) throw new ProviderFailure('INVALID_SSO_TOKEN', new Error('there is no ID token'))
  return { claims, accessToken: tokens.access_token }
}

async function askForTokens(
  metadata: AuthorizationServer,
  client: OpenIdClient,
  { code, redirectUri, codeVerifier }: SignOnSecrets & { readonly code: string },
): Promise<Response> {
  const self = clientOf(client)
  const returned = validateAuthResponse(metadata, self, new URLSearchParams({ code }))
  const options = requestOptions(metadata.issuer)
  try {
    const proof = authenticationOf(metadata, client)
    return await authorizationCodeGrantRequest(metadata, self, proof, returned, redirectUri, codeVerifier, options)
  } catch (error) {
    throw new ProviderFailure('INVALID_SSO_AUTHORIZATION_CODE', error)
  }
}

async function verifiedTokens(
  metadata: AuthorizationServer,
  client: OpenIdClient,
  answer: Response,
  expectedNonce: string,
): Promise<TokenEndpointResponse> {
  const isGranted = answer.status === 200
  try {
    const expected = { expectedNonce, requireIdToken: true }
    const tokens = await processAuthorizationCodeResponse(metadata, clientOf(client), answer, expected)
    // The library trusts the transport for the token. Here its signature is checked, however it arrived.
    await validateApplicationLevelSignature(metadata, answer, requestOptions(metadata.issuer))
    return tokens
  } catch (error) {
    throw new ProviderFailure(isGranted ? 'INVALID_SSO_TOKEN' : codeOfRefusal(error), error)
  }
}

/** A provider that does not know its client is misconfigured; otherwise it rejects the code. */
function codeOfRefusal(error: unknown): ProviderFailure['code'] {
  const isAboutClient =
    error instanceof ResponseBodyError && ['invalid_client', 'unauthorized_client'].includes(error.error)
  return isAboutClient ? 'SSO_MISCONFIGURED' : 'INVALID_SSO_AUTHORIZATION_CODE'
}

/**
 * The answer of the user info endpoint, in addition to the ID token; undefined if the provider has no such endpoint.
 * Throws ProviderFailure.
 */
export async function userInfo(
  metadata: AuthorizationServer,
  client: OpenIdClient,
  accessToken: string,
  subject: string,
): Promise<UserInfoResponse | undefined> {
  if (metadata.userinfo_endpoint === undefined) return undefined
  const self = clientOf(client)
  const answer = await ask(() => userInfoRequest(metadata, self, accessToken, requestOptions(metadata.issuer)))
  const isGiven = answer.status === 200
  try {
    return await processUserInfoResponse(metadata, self, subject, answer)
  } catch (error) {
    if (!isGiven) throw new ProviderFailure('FAILED_TO_FETCH_SSO_USER_INFO', error)
    const isOfAnother = error instanceof OperationProcessingError && error.code === JSON_ATTRIBUTE_COMPARISON
    throw new ProviderFailure(isOfAnother ? 'SSO_IDENTITY_MISMATCH' : 'FAILED_TO_PARSE_SSO_USER_INFO', error)
  }
}

async function ask(request: () => Promise<Response>): Promise<Response> {
  try {
    return await request()
  } catch (error) {
    throw new ProviderFailure('FAILED_TO_FETCH_SSO_USER_INFO', error)
  }
}

function clientOf({ clientId }: OpenIdClient): Client {
  return { client_id: clientId, [clockTolerance]: clockTolerance_s }
}

/**
 * A client without a secret is public: PKCE is its proof. A secret goes into the form where the provider offers that: providers
 * disagree on how HTTP Basic encodes it. Basic is the method of providers that name none (OpenID Connect Discovery 1.0, 3).
 */
function authenticationOf(metadata: AuthorizationServer, { clientSecret }: OpenIdClient): ClientAuth {
  if (clientSecret === null) return None()
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_post') ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret)
}
