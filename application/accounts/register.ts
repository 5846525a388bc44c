import { hasMinimumAge } from '../../domain/account/names.js'
import { accountId as accountIdOf, type AccountId } from '../../domain/ids/ids.js'
import { field } from '../../domain/kernel/refusal.js'
import type { Requester } from '../caller.js'
import type { CommandContext } from '../commands/command-context.js'
import { contextWith } from '../commands/following-context.js'
import { reject, Refused } from '../commands/refused.js'
import type { Ports } from '../ports.js'
import { sendVerificationMail } from '../recovery/send-verification-mail.js'
import { acceptCarriedInvite } from './accept-carried-invite.js'
import { chooseUsernames } from './choose-usernames.js'
import { claimAddress, claimTag, releaseAddress, releaseTag, type ClaimedTag } from './claim-identity.js'
import { requireUncommonPassword } from './require-uncommon-password.js'
import { chargeRegistration } from './sign-in-allowances.js'
import { startSession, type AuthToken } from './start-session.js'

/** What Register reads of its body, normalised; null stands for what was not given. */
export interface Registration {
  readonly email: string | null
  /** As it was sent: what it may be depends on the service's name. */
  readonly username: string | null
  readonly globalName: string | null
  readonly password: string | null
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string | null
  readonly consent: boolean
  readonly inviteCode: string | null
  readonly registrationUrlCode: string | null
}

type Needs = Pick<
  Ports,
  | 'addressHash'
  | 'aggregates'
  | 'allowances'
  | 'instance'
  | 'limits'
  | 'mail'
  | 'passwords'
  | 'presence'
  | 'queries'
  | 'readModels'
  | 'room'
  | 'tickets'
>

/**
 * Registers an account and signs it in. The address and the tag are claimed first, each in a stream of its own; where a later
 * step is refused they are released, and where the process dies a process manager releases them. Refuses with
 * REGISTRATION_URL_INVALID, INVALID_FORM_BODY with MUST_AGREE_TO_TOS_AND_PRIVACY_POLICY, MUST_BE_MINIMUM_AGE,
 * PASSWORD_IS_TOO_COMMON or a code of usernames, RATE_LIMITED, and INVALID_FORM_BODY with EMAIL_ALREADY_IN_USE or TOO_MANY_USERS_WITH_THIS_USERNAME. Reference
 * identity 4.3.
 */
export function register(ports: Needs) {
  return async (requester: Requester, registration: Registration): Promise<AuthToken> => {
    const { addressHash: hashOf, passwords, instance } = ports
    checkTerms(ports, requester, registration)
    if (registration.password !== null) requireUncommonPassword(registration.password)
    const usernames = chooseUsernames(registration, instance.serviceName, requester.context)
    const addressHash = registration.email === null ? null : hashOf(registration.email)
    await chargeRegistration(ports, addressHash, requester.ip)
    // Before anything is claimed, since it takes long: what is claimed is soon registered, or free again.
    const passwordHash = registration.password === null ? null : await passwords.hash(registration.password)
    const account = { ...registration, addressHash, usernames, passwordHash }
    const accountId = await registerClaimed(ports, requester, account)
    await verifyLater(ports, requester, accountId)
    const { answer, caller } = await startSession(ports, requester, accountId)
    await acceptCarriedInvite(ports, caller, registration.inviteCode)
    return answer
  }
}

/** Nobody has made a registration URL: every code of one is wrong. Only a hosted instance has terms to agree to. */
function checkTerms({ instance }: Needs, { context }: Requester, registration: Registration): void {
  const { consent, dateOfBirth, registrationUrlCode } = registration
  if (registrationUrlCode !== null) reject('REGISTRATION_URL_INVALID')
  if (instance.hosted && !consent) {
    reject('INVALID_FORM_BODY', field('consent', 'MUST_AGREE_TO_TOS_AND_PRIVACY_POLICY'))
  }
  if (dateOfBirth !== null && !hasMinimumAge(dateOfBirth, context.now)) {
    reject('INVALID_FORM_BODY', field('date_of_birth', 'MUST_BE_MINIMUM_AGE'))
  }
}

interface NewAccount extends Pick<Registration, 'email' | 'globalName' | 'dateOfBirth'> {
  readonly addressHash: string | null
  readonly usernames: readonly string[]
  readonly passwordHash: string | null
}

/** Claims the address, then a tag, then registers: what a refusal leaves behind is released, last claim first. */
async function registerClaimed(ports: Needs, requester: Requester, account: NewAccount): Promise<AccountId> {
  const accountId = accountIdOf(requester.context.newId())
  const context = contextWith(requester.context, { actor: { kind: 'account', id: accountId } })
  const { addressHash, usernames } = account
  const releaseClaimedAddress = async (): Promise<void> => {
    if (addressHash !== null) await releaseAddress(ports, addressHash, accountId, context)
  }
  if (addressHash !== null) await claimAddress(ports, addressHash, accountId, context)
  const tag = await orUndo(() => claimTag(ports, usernames, accountId, context), releaseClaimedAddress)
  await orUndo(
    () => registerAccount(ports, accountId, { ...account, ...tag, locale: requester.locale }, context),
    async () => {
      await releaseTag(ports, tag.username, accountId, context)
      await releaseClaimedAddress()
    },
  )
  return accountId
}

/** Mails a token to an address that does not count as verified. */
async function verifyLater(ports: Needs, { context }: Requester, accountId: AccountId): Promise<void> {
  const { state } = await ports.aggregates.account.load(accountId)
  if (state.status === 'absent' || state.email === null || state.emailVerified) return
  const { email, username, locale } = state
  await sendVerificationMail(ports, { accountId, email, username, locale }, context)
}

/** An instance without a mail server has no way to verify addresses: they count as verified (supplement, Instance defaults). */
async function registerAccount(
  { aggregates, mail }: Needs,
  accountId: AccountId,
  account: NewAccount & ClaimedTag & { readonly locale: string },
  context: CommandContext,
): Promise<void> {
  const { username, discriminator, globalName, email, passwordHash, dateOfBirth, locale } = account
  const tag = { username, discriminator, globalName }
  const personal = { email, passwordHash, dateOfBirth }
  const register = {
    type: 'RegisterAccount',
    accountId,
    ...tag,
    ...personal,
    emailVerified: email !== null && !mail.canSend,
    locale,
  } as const
  await aggregates.account.executeNew(accountId, { ...register, now: context.now }, context)
}

/** Undoes earlier steps where a step is refused. Where it fails otherwise, nobody knows yet what has happened. */
async function orUndo<Result>(step: () => Promise<Result>, undo: () => Promise<void>): Promise<Result> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof Refused) await undo()
    throw error
  }
}
