import { signInFactors } from '../../../domain/account/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Requester } from '../../caller.ts'
import { contextWith } from '../../commands/following-context.ts'
import { reject } from '../../commands/refused.ts'
import { requireAuthorizedAddress, type AddressCheckNeeds } from '../ip-authorization/require-authorized-address.ts'
import type { Ports } from '../../ports.ts'
import { mfaTicket, mfaTicket_s } from '../second-factors/mfa-ticket.ts'
import { startSession, type SignedIn } from './start-session.ts'

/** The answer to a right password where a second factor follows (rules/credentials#second-step). */
export interface MfaChallenge {
  readonly mfa: true
  /** Valid for `mfaTicket_s`. */
  readonly ticket: string
  /** `totp` before `webauthn`. */
  readonly allowed_methods: readonly ('totp' | 'webauthn')[]
  /** Whether the account has TOTP. */
  readonly totp: boolean
  /** Whether it has any passkey. */
  readonly webauthn: boolean
}

export type SignInOutcome =
  | ({ readonly outcome: 'signed in' } & SignedIn)
  /** No session yet: a second factor is needed. */
  | { readonly outcome: 'challenged'; readonly answer: MfaChallenge }

export type SignInNeeds = AddressCheckNeeds & Pick<Ports, 'aggregates' | 'readModels'>

export interface SignInProof {
  /** Whether the sign-in used a mail to the account's address, which proves as much as a mail about a new network would. */
  readonly byMail?: boolean
  /** The account's `credentialVersion` when the password was checked. */
  readonly provedUnder: number
}

/**
 * Signs in an account after its password, or a substitute, was right. First undoes a disabling or scheduled deletion by
 * its holder, even before a second factor. Then starts a session, or asks for a second factor, or without one mails
 * about a new network. Refuses with UNKNOWN_USER, with UNAUTHORIZED if the credentials have changed since, and as
 * requireAuthorizedAddress. See rules/credentials#sign-in.
 */
export async function signIn(
  ports: SignInNeeds,
  requester: Requester,
  accountId: AccountId,
  { byMail = false, provedUnder }: SignInProof,
): Promise<SignInOutcome> {
  const context = contextWith(requester.context, { actor: { kind: 'account', id: accountId } })
  const returning = { type: 'ReturnToAccount', provedUnder, now: context.now } as const
  const { state } = await ports.aggregates.account.execute(accountId, returning, context)
  if (state.status !== 'registered') return reject('UNKNOWN_USER')
  const { secondFactors } = state
  const methods = signInFactors(secondFactors)
  if (methods.length === 0) {
    if (!byMail) await requireAuthorizedAddress(ports, requester, state)
    const terms = { authorizes: true, byMail, provedUnder }
    return { outcome: 'signed in', ...(await startSession(ports, requester, accountId, terms)) }
  }
  const ticket = await ports.tickets.issue(
    mfaTicket,
    { accountId, credentialVersion: provedUnder },
    mfaTicket_s,
    accountId,
  )
  return {
    outcome: 'challenged',
    answer: {
      mfa: true,
      ticket,
      allowed_methods: methods,
      totp: secondFactors.totpSecret !== null,
      webauthn: secondFactors.webAuthnCredentials.length > 0,
    },
  }
}
