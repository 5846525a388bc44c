import type { Parsed } from '../../domain/kernel/parsed.js'
import type { SingleSignOnPolicy } from '../../domain/instance/policy.js'

/** What the policy says of a provider, once it says enough: what is null is found by the issuer's discovery. */
export interface OpenIdClient extends Pick<
  SingleSignOnPolicy,
  'authorizationUrl' | 'tokenUrl' | 'userinfoUrl' | 'jwksUrl' | 'clientSecret' | 'scope'
> {
  readonly issuer: string
  readonly clientId: string
}

/** What ties a sign-in at the provider to the one that was begun here. */
export interface SignOnSecrets {
  readonly redirectUri: string
  readonly nonce: string
  /** 43 characters of base64url; the provider is told its SHA-256 first (PKCE, S256). */
  readonly codeVerifier: string
}

/** Whom the provider vouches for. */
export interface ProviderIdentity {
  readonly issuer: string
  readonly subject: string
  /** As the provider writes it; null where it names none. */
  readonly email: string | null
  /** Whether the provider says that the address is theirs. */
  readonly emailVerified: boolean
  readonly name: string | null
  readonly preferredUsername: string | null
}

/** An OpenID provider. Whatever goes wrong with it comes back as the field code of the answer; nothing is thrown. */
export interface OpenIdProvider {
  /** Where somebody is sent to sign in. Fails with SSO_MISCONFIGURED where the provider's metadata can't be had or used. */
  authorizationUrl(client: OpenIdClient, request: SignOnSecrets & { readonly state: string }): Promise<Parsed<string>>
  /**
   * Redeems a code that the provider has sent somebody back with. Fails with SSO_MISCONFIGURED, also where the provider does
   * not accept the client; INVALID_SSO_AUTHORIZATION_CODE; INVALID_SSO_TOKEN where the ID token is missing, forged, expired or
   * somebody else's; FAILED_TO_FETCH_SSO_USER_INFO, FAILED_TO_PARSE_SSO_USER_INFO; and SSO_IDENTITY_MISMATCH where token and
   * user info name different people. Reference identity 4.12.
   */
  redeem(client: OpenIdClient, request: SignOnSecrets & { readonly code: string }): Promise<Parsed<ProviderIdentity>>
}
