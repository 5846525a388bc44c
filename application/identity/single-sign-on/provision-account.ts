import { parseGlobalName, parseUsername } from '../../../domain/account/names.ts'
import type { SingleSignOnLink } from '../../../domain/account/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { chooseUsernames, plainLetters } from '../accounts/registering/choose-usernames.ts'
import { registerClaimed, type NewAccount } from '../accounts/registering/register-claimed.ts'
import { needsNoVerification, verifyLater } from '../accounts/registering/verify-later.ts'
import { requireUnlistedAddress } from '../../content-rules/require-unlisted-address.ts'
import type { Requester } from '../../caller.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { contextWith } from '../../commands/following-context.ts'
import { reject, Refused } from '../../commands/refused.ts'
import { joinOneCommunity, type CommunityNeeds } from '../../communities/guilds/one-community.ts'
import type { InstancePolicy } from '../../../domain/instance/policy.ts'
import type { Ports } from '../../ports.ts'
import { registrationTerms } from '../registrations/registration-terms.ts'
import type { AdmittedPerson } from './admitted-person.ts'

export type ProvisionNeeds = CommunityNeeds &
  Pick<Ports, 'addressHash' | 'blocklistBox' | 'instance' | 'mail' | 'tickets'>

/**
 * Registers an account for an unknown person, linked to their identity and without a password. It joins the one
 * community, if there is one. An account that needs approval exists afterwards, but joins nothing and gets no session.
 * Refuses with SSO_REQUIRED if the policy creates no accounts, as `registrationTerms`, with INVALID_FORM_BODY with
 * SSO_UNABLE_TO_ALLOCATE_DISCRIMINATOR on `code`, and with CONFLICT if another registration was faster.
 */
export async function provisionAccount(
  ports: ProvisionNeeds,
  requester: Requester,
  person: AdmittedPerson,
  singleSignOn: SingleSignOnLink,
): Promise<AccountId> {
  const { context } = requester
  const policy = await ports.instancePolicies.current()
  if (!policy.singleSignOn.autoProvision) return reject('SSO_REQUIRED')
  const terms = await registrationTerms(ports, policy.registration, null, context)
  const account = { ...accountFor(ports, policy, person, context), ...terms, singleSignOn }
  if (account.email !== null) await requireUnlistedAddress(ports, account.email)
  const accountId = await inOwnWords(() => registerClaimed(ports, requester, account))
  await verifyLater(ports, requester, accountId)
  if (!terms.awaitsApproval)
    await joinOneCommunity(
      ports,
      { accountId, ip: requester.ip },
      contextWith(context, { actor: { kind: 'account', id: accountId } }),
    )
  return accountId
}

/** An instance with sign-in by username has no addresses. The person accepts the terms after signing in. */
function accountFor(
  ports: ProvisionNeeds,
  policy: InstancePolicy,
  person: AdmittedPerson,
  context: CommandContext,
): Omit<NewAccount, 'awaitsApproval' | 'registrationUrlId'> {
  const email = policy.accountIdentity.signIn === 'username' ? null : person.email
  const globalName = parseGlobalName(person.name ?? '')
  return {
    email,
    emailVerified: person.emailVerified || needsNoVerification(ports, policy, email),
    usernames: usernamesFor(person, policy, ports.instance.serviceName, context),
    globalName: globalName.ok ? globalName.value : null,
    passwordHash: null,
    dateOfBirth: null,
    agreesToTerms: false,
  }
}

/**
 * The usernames to try: the provider's username for the person, then one derived from their name; a generated one if neither is
 * valid, or if others may have both. The address is not used, since it is private. Some providers give the address as username;
 * then the part before the @ is used.
 */
function usernamesFor(
  { preferredUsername, name }: AdmittedPerson,
  { accountIdentity }: InstancePolicy,
  serviceName: string,
  context: CommandContext,
): readonly string[] {
  const [preferred = ''] = (preferredUsername ?? '').split('@')
  const candidates = [preferred, name ?? ''].map((text) => parseUsername(plainLetters(text), serviceName))
  const usernames = [...new Set(candidates.flatMap((username) => (username.ok ? [username.value] : [])))]
  if (usernames.length > 0 && accountIdentity.tagStyle === 'discriminator') return usernames
  return [...usernames, ...chooseUsernames({ username: null, globalName: null }, serviceName, context)]
}

/** Nobody filled in a form here, so the refusals of registration are translated into codes of single sign-on. */
async function inOwnWords<Result>(registering: () => Promise<Result>): Promise<Result> {
  try {
    return await registering()
  } catch (error) {
    const [refused] = error instanceof Refused ? error.refusal.fields : []
    switch (refused?.code) {
      case 'TOO_MANY_USERS_WITH_THIS_USERNAME':
      case 'USERNAME_ALREADY_TAKEN':
        return reject('INVALID_FORM_BODY', field('code', 'SSO_UNABLE_TO_ALLOCATE_DISCRIMINATOR'))
      case 'EMAIL_ALREADY_IN_USE':
        return reject('CONFLICT')
      default:
        throw error
    }
  }
}
