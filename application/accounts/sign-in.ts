import { signInFactors } from '../../domain/account/state.js'
import type { AccountId } from '../../domain/ids/ids.js'
import type { Requester } from '../caller.js'
import { contextWith } from '../commands/following-context.js'
import { reject } from '../commands/refused.js'
import type { Ports } from '../ports.js'
import { mfaTicket, mfaTicket_s } from '../second-factors/mfa-ticket.js'
import { startSession, type SignedIn } from './start-session.js'

/** The MFA challenge response (reference identity 4.1). */
export interface MfaChallenge {
  readonly mfa: true
  /** Lives `mfaTicket_s`. */
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
  /** No session yet: a second factor is asked for. */
  | { readonly outcome: 'challenged'; readonly answer: MfaChallenge }

export type SignInNeeds = Pick<Ports, 'aggregates' | 'queries' | 'readModels' | 'tickets'>

/**
 * Signs in an account whose password, or what stands for it, was right: what its holder did to it, disabling or a scheduled
 * deletion, is undone, also before a second factor; then a session begins, or a second factor is asked for. Refuses with
 * UNKNOWN_USER. Reference identity 4.4.
 */
export async function signIn(ports: SignInNeeds, requester: Requester, accountId: AccountId): Promise<SignInOutcome> {
  const context = contextWith(requester.context, { actor: { kind: 'account', id: accountId } })
  const { state } = await ports.aggregates.account.execute(accountId, { type: 'ReturnToAccount' }, context)
  if (state.status !== 'registered') return reject('UNKNOWN_USER')
  const { credentialVersion, secondFactors } = state
  const methods = signInFactors(secondFactors)
  if (methods.length === 0) return { outcome: 'signed in', ...(await startSession(ports, requester, accountId)) }
  const ticket = await ports.tickets.issue(mfaTicket, { accountId, credentialVersion }, mfaTicket_s, accountId)
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
