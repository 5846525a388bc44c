import { hasMinimumAge } from '../../../../domain/account/names.ts'
import type { AccountId } from '../../../../domain/ids/ids.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { Timestamp } from '../../../../domain/kernel/timestamp.ts'
import type { Theme } from '../../../../domain/user-settings/settings.ts'
import { requireUnlistedAddress } from '../../../content-rules/require-unlisted-address.ts'
import type { Requester } from '../../../caller.ts'
import { reject } from '../../../commands/refused.ts'
import { joinOneCommunity } from '../../../communities/guilds/one-community.ts'
import type { InstancePolicy } from '../../../../domain/instance/policy.ts'
import type { Ports } from '../../../ports.ts'
import { registrationTerms } from '../../registrations/registration-terms.ts'
import { beginWithTheme } from '../../settings/begin-with-theme.ts'
import { acceptCarriedInvite } from '../accept-carried-invite.ts'
import { chooseUsernames } from './choose-usernames.ts'
import { registerClaimed } from './register-claimed.ts'
import { requireUncommonPassword } from './require-uncommon-password.ts'
import { chargeRegistration } from '../sign-in-allowances.ts'
import { startSession, type AuthToken } from '../start-session.ts'
import { needsNoVerification, verifyLater } from './verify-later.ts'

/** The parsed body of Register, normalised; null for members that were not sent. */
export interface Registration {
  readonly email: string | null
  /** As sent: validation depends on the service's name. */
  readonly username: string | null
  readonly globalName: string | null
  readonly password: string | null
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string | null
  readonly consent: boolean
  readonly inviteCode: string | null
  readonly registrationUrlCode: string | null
  readonly theme?: Theme | null
}

/** The answer while the registration waits: an operator must approve the account first. */
export interface RegistrationPending {
  readonly registration_pending_approval: true
  readonly user_id: AccountId
}

type Needs = Pick<
  Ports,
  | 'addressHash'
  | 'aggregates'
  | 'allowances'
  | 'blocklistBox'
  | 'instance'
  | 'instancePolicies'
  | 'limits'
  | 'locks'
  | 'mail'
  | 'messages'
  | 'passwords'
  | 'presence'
  | 'queries'
  | 'readModels'
  | 'reservations'
  | 'tickets'
>

/**
 * Registers an account and signs it in. An account that needs approval gets no session and joins nothing. Refuses as
 * `registrationTerms` does, with EMAIL_UNAVAILABLE_ON_INSTANCE, INVALID_FORM_BODY with
 * MUST_AGREE_TO_TOS_AND_PRIVACY_POLICY, INVALID_DATE_OF_BIRTH_FORMAT, MUST_BE_MINIMUM_AGE, PASSWORD_IS_TOO_COMMON or a
 * code of usernames, RATE_LIMITED, CONTENT_BLOCKED for a listed address, UNAUTHORIZED if somebody has adopted the
 * account meanwhile, and as `registerClaimed` does. See rules/credentials#register.
 */
export function register(ports: Needs) {
  return async (requester: Requester, registration: Registration): Promise<AuthToken | RegistrationPending> => {
    const { addressHash, passwords, instance } = ports
    const { context, ip } = requester
    const policy = await ports.instancePolicies.current()
    const { email, password, registrationUrlCode } = registration
    const terms = await registrationTerms(ports, policy.registration, registrationUrlCode, context)
    checkDeclarations(registration, policy, { hasTerms: hasTerms(ports, policy), now: context.now })
    if (password !== null) requireUncommonPassword(password)
    const usernames = chooseUsernames(registration, instance.serviceName, context)
    await chargeRegistration(ports, email === null ? null : addressHash(email), ip)
    if (email !== null) await requireUnlistedAddress(ports, email)
    // Hashing takes long, so it comes before the username and the address are claimed: others wait for a claim only briefly.
    const passwordHash = password === null ? null : await passwords.hash(password, requester)
    const agreesToTerms = registration.consent && hasTerms(ports, policy)
    const emailVerified = needsNoVerification(ports, policy, email)
    const account = { ...registration, ...terms, usernames, passwordHash, agreesToTerms, emailVerified }
    const accountId = await registerClaimed(ports, requester, account)
    await beginWithTheme(ports, accountId, registration.theme ?? null, context)
    await verifyLater(ports, requester, accountId)
    if (terms.awaitsApproval) return { registration_pending_approval: true, user_id: accountId }
    // Whoever has adopted the account meanwhile has changed its credentials: then the registrant gets no session.
    const { answer, caller } = await startSession(ports, requester, accountId, { authorizes: true, provedUnder: 0 })
    await acceptCarriedInvite(ports, caller, registration.inviteCode)
    await joinOneCommunity(ports, { accountId, ip: requester.ip }, caller.context)
    return answer
  }
}

/** Only a hosted instance, or one with its own documents, has terms to agree to. */
function hasTerms({ instance }: Pick<Ports, 'instance'>, { legal }: InstancePolicy): boolean {
  return instance.hosted || legal.termsUrl !== null || legal.privacyUrl !== null
}

/** Checks the declarations in a registration against the instance's requirements. */
function checkDeclarations(
  { consent, dateOfBirth, email }: Registration,
  { accountIdentity, registration }: InstancePolicy,
  { hasTerms: mustConsent, now }: { readonly hasTerms: boolean; readonly now: Timestamp },
): void {
  if (email !== null && accountIdentity.signIn === 'username') reject('EMAIL_UNAVAILABLE_ON_INSTANCE')
  if (mustConsent && !consent) reject('INVALID_FORM_BODY', field('consent', 'MUST_AGREE_TO_TOS_AND_PRIVACY_POLICY'))
  if (dateOfBirth === null) {
    if (registration.collectDateOfBirth) {
      reject('INVALID_FORM_BODY', field('date_of_birth', 'INVALID_DATE_OF_BIRTH_FORMAT'))
    }
  } else if (!hasMinimumAge(dateOfBirth, now)) {
    reject('INVALID_FORM_BODY', field('date_of_birth', 'MUST_BE_MINIMUM_AGE'))
  }
}
