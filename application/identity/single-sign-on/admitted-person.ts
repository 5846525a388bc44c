import { parseEmail } from '../../../domain/account/names.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { reject } from '../../commands/refused.ts'
import type { SingleSignOnPolicy } from '../../../domain/instance/policy.ts'
import type { ProviderIdentity } from '../../ports/openid-provider.ts'

/** A person that the provider vouches for and the policy admits. */
export interface AdmittedPerson extends Omit<ProviderIdentity, 'email'> {
  /** Normalised. */
  readonly email: string
}

/**
 * Parses the provider's identity, and checks that the policy admits the person. Refuses with INVALID_FORM_BODY on
 * `code` with SSO_PROVIDER_DID_NOT_RETURN_EMAIL, INVALID_EMAIL_ADDRESS or EMAIL_DOMAIN_NOT_ALLOWED_FOR_SSO.
 */
export function admittedPerson(identity: ProviderIdentity, { allowedDomains }: SingleSignOnPolicy): AdmittedPerson {
  if (identity.email === null) return reject('INVALID_FORM_BODY', field('code', 'SSO_PROVIDER_DID_NOT_RETURN_EMAIL'))
  const email = parseEmail(identity.email)
  if (!email.ok) return reject('INVALID_FORM_BODY', field('code', 'INVALID_EMAIL_ADDRESS'))
  const person = { ...identity, email: email.value }
  if (!isOfDomains(person, allowedDomains))
    reject('INVALID_FORM_BODY', field('code', 'EMAIL_DOMAIN_NOT_ALLOWED_FOR_SSO'))
  return person
}

/** An address that the provider has not verified may be anybody's, so its domain admits nobody. */
function isOfDomains({ email, emailVerified }: AdmittedPerson, domains: readonly string[]): boolean {
  if (domains.length === 0) return true
  return emailVerified && domains.includes(email.slice(email.lastIndexOf('@') + 1))
}
