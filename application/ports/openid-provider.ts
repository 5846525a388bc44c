import type { Parsed } from '../../domain/kernel/parsed.ts'
import type { SingleSignOnPolicy } from '../../domain/instance/policy.ts'

/** The policy's settings of a provider, once there are enough. Discovery at the issuer supplies those that are null. */
export interface OpenIdClient extends Pick<
  SingleSignOnPolicy,
  'authorizationUrl' | 'tokenUrl' | 'userinfoUrl' | 'jwksUrl' | 'clientSecret' | 'scope'
> {
  readonly issuer: string
  readonly clientId: string
}

/** Ties the sign-in at the provider to the sign-in begun here. */
export interface SignOnSecrets {
  readonly redirectUri: string
  readonly nonce: string
  /** 43 characters of base64url. The provider first gets its SHA-256 (PKCE, S256). */
  readonly codeVerifier: string
}

/** The identity that the provider vouches for. */
export interface ProviderIdentity {
  readonly issuer: string
  readonly subject: string
  /** As the provider writes it; null if it gives none. */
  readonly email: string | null
  /** Whether the provider says that it verified the address. */
  readonly emailVerified: boolean
  readonly name: string | null
  readonly preferredUsername: string | null
}

/** An OpenID provider. Its failures come back as field codes of the answer; nothing is thrown. */
export interface OpenIdProvider {
  /** The URL where the user signs in. Fails with SSO_MISCONFIGURED if the provider's metadata can't be read or used. */
  authorizationUrl(client: OpenIdClient, request: SignOnSecrets & { readonly state: string }): Promise<Parsed<string>>
  /**
   * Redeems the code that the provider gave the user. Fails with SSO_MISCONFIGURED, also if the provider does not
   * accept the client; INVALID_SSO_AUTHORIZATION_CODE; INVALID_SSO_TOKEN if the ID token is missing, forged, expired or
   * somebody else's; FAILED_TO_FETCH_SSO_USER_INFO, FAILED_TO_PARSE_SSO_USER_INFO; and SSO_IDENTITY_MISMATCH if token
   * and user info name different people.
   */
  redeem(client: OpenIdClient, request: SignOnSecrets & { readonly code: string }): Promise<Parsed<ProviderIdentity>>
}
