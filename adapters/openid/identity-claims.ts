import type { IDToken, UserInfoResponse } from 'oauth4webapi'
import type { ProviderIdentity } from '../../application/ports/openid-provider.ts'

type Claims = Readonly<Record<string, unknown>>

/** The identity in an ID token and the user info. The signed token wins over the user info. */
export function identityOf(token: IDToken, info: UserInfoResponse | undefined): ProviderIdentity {
  const sources: readonly Claims[] = info === undefined ? [token] : [token, info]
  const email = firstText(sources, 'email')
  return {
    issuer: token.iss,
    subject: token.sub,
    email,
    emailVerified: email !== null && sources.some((claims) => isVerified(claims, email)),
    name: firstText(sources, 'name'),
    preferredUsername: firstText(sources, 'preferred_username'),
  }
}

function firstText(sources: readonly Claims[], claim: string): string | null {
  const texts = sources.map((claims) => claims[claim])
  return texts.find((text): text is string => typeof text === 'string' && text !== '') ?? null
}

/** Some providers write the flag as text. A claim about another address says nothing about this one. */
function isVerified({ email, email_verified: flag }: Claims, address: string): boolean {
  return email === address && (flag === true || flag === 'true')
}
