import { accountId as accountIdOf, type AccountId } from '../../../../domain/ids/ids.ts'
import type { SingleSignOnLink } from '../../../../domain/account/state.ts'
import type { Timestamp } from '../../../../domain/kernel/timestamp.ts'
import type { Requester } from '../../../caller.ts'
import type { CommandContext } from '../../../commands/command-context.ts'
import { contextWith } from '../../../commands/following-context.ts'
import { Refused } from '../../../commands/refused.ts'
import type { Ports } from '../../../ports.ts'
import type { RegistrationTerms } from '../../registrations/registration-terms.ts'
import { returnUrlUse, takeUrlUse } from '../../registrations/use-registration-url.ts'
import { claimIdentity, releaseIdentity } from '../../single-sign-on/claim-identity.ts'
import { claimAddress, claimTag, releaseAddress, releaseTag, type ClaimedTag } from '../claim-identity.ts'

/** The account to register. */
export interface NewAccount extends RegistrationTerms {
  readonly email: string | null
  readonly emailVerified: boolean
  /** Tried in this order. */
  readonly usernames: readonly string[]
  readonly globalName: string | null
  readonly passwordHash: string | null
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string | null
  readonly agreesToTerms: boolean
  /** The identity at a provider that the account is for; absent without one. */
  readonly singleSignOn?: SingleSignOnLink
}

type Needs = Pick<Ports, 'addressHash' | 'aggregates' | 'instancePolicies'>
type Undo = () => Promise<void>

/**
 * Registers an account. First claims its identity at a provider, a use of the registration URL, the address and the tag, each in
 * its own stream. If a later step refuses, they are released, last claim first; if the process dies, a process manager releases
 * them. The first account fixes the instance's account identity. Refuses with CONFLICT if somebody else has the identity,
 * REGISTRATION_URL_INVALID, and with INVALID_FORM_BODY with EMAIL_ALREADY_IN_USE or the refusal of `claimTag`.
 */
export async function registerClaimed(ports: Needs, requester: Requester, account: NewAccount): Promise<AccountId> {
  const accountId = accountIdOf(requester.context.newId())
  const context = contextWith(requester.context, { actor: { kind: 'account', id: accountId } })
  const undo: Undo[] = []
  try {
    await claimOwnIdentity(ports, account, accountId, context, undo)
    await claimUrlUse(ports, account, accountId, context, undo)
    await claimOwnAddress(ports, account, accountId, context, undo)
    const tag = await claimTag(ports, account.usernames, accountId, context)
    undo.push(() => releaseTag(ports, tag, accountId, context))
    await ports.instancePolicies.fixAccountIdentity(context)
    await registerAccount(ports, requester, { ...account, ...tag, accountId }, context)
    return accountId
  } catch (error) {
    // After any other error, it is unknown what happened.
    if (error instanceof Refused) for (const step of undo.toReversed()) await step()
    throw error
  }
}

async function claimOwnIdentity(
  ports: Needs,
  { singleSignOn }: NewAccount,
  accountId: AccountId,
  context: CommandContext,
  undo: Undo[],
): Promise<void> {
  if (singleSignOn === undefined) return
  const { identityHash } = singleSignOn
  await claimIdentity(ports, identityHash, accountId, context)
  undo.push(() => releaseIdentity(ports, identityHash, accountId, context))
}

async function claimUrlUse(
  ports: Needs,
  { registrationUrlId }: NewAccount,
  accountId: AccountId,
  context: CommandContext,
  undo: Undo[],
): Promise<void> {
  if (registrationUrlId === null) return
  await takeUrlUse(ports, registrationUrlId, accountId, context)
  undo.push(() => returnUrlUse(ports, registrationUrlId, accountId, context))
}

async function claimOwnAddress(
  ports: Needs,
  { email }: NewAccount,
  accountId: AccountId,
  context: CommandContext,
  undo: Undo[],
): Promise<void> {
  if (email === null) return
  const addressHash = ports.addressHash(email)
  await claimAddress(ports, addressHash, accountId, context)
  undo.push(() => releaseAddress(ports, addressHash, accountId, context))
}

/** The address of the registration is stored only for the operator who decides about it. */
async function registerAccount(
  { aggregates }: Needs,
  { ip, locale }: Requester,
  account: NewAccount & ClaimedTag & { readonly accountId: AccountId },
  context: CommandContext,
): Promise<void> {
  const { accountId, username, discriminator, globalName, email, passwordHash, dateOfBirth, emailVerified } = account
  const { now } = context
  const tag = { username, discriminator, globalName }
  const personal = { email, passwordHash, dateOfBirth }
  const identity = { accountId, ...tag, ...personal, emailVerified, locale }
  const register = { type: 'RegisterAccount', ...identity, ...circumstances(account, ip, now), now } as const
  await aggregates.account.execute(accountId, register, context, 'initial')
}

function circumstances(account: NewAccount, ip: string, now: Timestamp) {
  const { awaitsApproval, registrationUrlId, agreesToTerms, singleSignOn } = account
  return {
    ...(singleSignOn && { singleSignOn }),
    ...(awaitsApproval && { awaitsApproval, clientIp: ip }),
    ...(registrationUrlId !== null && { registrationUrlId }),
    ...(agreesToTerms && { termsAcceptedAt: now }),
  }
}
