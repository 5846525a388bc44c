import { hasSecondFactor, type Account } from '../../../domain/account/state.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { sessionOf } from '../../access/by-session.ts'
import type { Caller } from '../../caller.ts'
import { isPasswordOf, type PasswordNeeds } from '../accounts/is-password-of.ts'
import { ownAccountState } from '../accounts/own-account-state.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { contextWith } from '../../commands/following-context.ts'
import { reject, rejectWith } from '../../commands/refused.ts'
import { proveSudoByPasskey } from '../passkeys/sudo-by-passkey.ts'
import type { Ports } from '../../ports.ts'
import { proveByCode } from './second-factor-proof.ts'
import { chargePasswordProof, chargeSudo, restoreSudo } from './sudo-budget.ts'
import { sudoMethodsObject } from './sudo-methods.ts'
import type { SudoOutcome, SudoRequest } from './sudo-request.ts'

export type SudoNeeds = Pick<
  Ports,
  'aggregates' | 'allowances' | 'deferred' | 'instance' | 'passkeys' | 'passwords' | 'sudoProofs' | 'tickets' | 'totp'
>

export interface SudoTerms {
  /** Whether an account without a second factor has nothing to prove. */
  readonly ofSecondFactors?: boolean
}

const nothingToIssue: SudoOutcome = { by: 'nothing to issue' }

/**
 * Verifies that the holder of the account sends the request, and not somebody who has found its session open. A bot need
 * not prove it. Others show a proof of the last minutes; without one a second factor where the account has any, else the
 * password. Refuses with INVALID_FORM_BODY with INVALID_MFA_CODE on
 * `mfa_code` or INVALID_PASSWORD on `password`, and with SUDO_MODE_REQUIRED, which names the possible proofs. With a
 * spent budget, a right proof looks wrong, and nothing is checked. Refuses with RATE_LIMITED if the account proves
 * itself by its password too often. See rules/credentials#sudo-mode.
 */
export function verifySudo(ports: SudoNeeds) {
  return async (
    asked: Caller,
    request: SudoRequest,
    { ofSecondFactors = false }: SudoTerms = {},
  ): Promise<SudoOutcome> => {
    // Proving it is no administrator's action, so it leads to no entry in their audit log.
    const caller = { ...asked, context: contextWith(asked.context, { adminAction: undefined }) }
    if (caller.credential.kind === 'bot') return nothingToIssue
    const account = await ownAccountState(ports, caller)
    if (request.proof !== null && (await isProofOf(ports, caller, account, request.proof)))
      return { by: 'proof', proof: request.proof }
    const { secondFactors, passwordHash } = account
    if (hasSecondFactor(secondFactors)) {
      if (request.mfaMethod === null) return requireSudo(account)
      await proveSecondFactor(ports, caller, account, request)
      return { by: 'second factor' }
    }
    if (passwordHash === null || ofSecondFactors) return nothingToIssue
    if (request.password === null) return requireSudo(account)
    await provePassword(ports, caller, account, request.password)
    return nothingToIssue
  }
}

/**
 * The proof in a successful answer; null for none. A new one is based on the account's credentials after the operation.
 * Every success carries one, even if the operation ended the caller's session: that proof ends with its session.
 */
export function sudoProofToSend(ports: Pick<Ports, 'aggregates' | 'sudoProofs'>) {
  return async (caller: Caller, outcome: SudoOutcome): Promise<string | null> => {
    if (outcome.by === 'proof') return outcome.proof
    const tokenHash = sessionOf(caller)
    if (outcome.by === 'nothing to issue' || tokenHash === undefined) return null
    const { id: accountId, credentialVersion, secondFactors } = await ownAccountState(ports, caller)
    if (!hasSecondFactor(secondFactors)) return null
    return ports.sudoProofs.issue({ accountId, tokenHash, credentialVersion }, caller.context.now)
  }
}

/** A proof ends with the session that made it, and when the account's credentials change. */
async function isProofOf(
  { sudoProofs }: SudoNeeds,
  { context }: Caller,
  account: Account,
  text: string,
): Promise<boolean> {
  const proof = await sudoProofs.read(text, context.now)
  if (proof?.accountId !== account.id) return false
  return proof.credentialVersion === account.credentialVersion && account.sessions.includes(proof.tokenHash)
}

/**
 * Refuses a wrong password with INVALID_PASSWORD on `password`, and with RATE_LIMITED as `chargePasswordProof` does. Charges the
 * budget of all sudo operations, so that no operation helps guessing. Once the budget is spent, no password is hashed: the sender
 * gets no answer from it, and others would wait for the hash.
 */
export async function provePassword(
  ports: Pick<Ports, 'allowances'> & PasswordNeeds,
  caller: Caller,
  account: Account,
  password: string,
): Promise<void> {
  const isInBudget = await chargePasswordProof(ports, account.id)
  if (!isInBudget || !(await isPasswordOf(ports, account, password, caller)))
    return reject('INVALID_FORM_BODY', field('password', 'INVALID_PASSWORD'))
  await restoreSudo(ports, account.id)
}

/** Uses up a right second factor; each works once. */
async function proveSecondFactor(
  ports: SudoNeeds,
  { context }: Caller,
  account: Account,
  request: SudoRequest,
): Promise<void> {
  const isInBudget = await chargeSudo(ports, account.id)
  const isProved = isInBudget && (await isSecondFactor(ports, account, request, context))
  if (!isProved) return reject('INVALID_FORM_BODY', field('mfa_code', 'INVALID_MFA_CODE'))
  await restoreSudo(ports, account.id)
}

async function isSecondFactor(
  ports: SudoNeeds,
  account: Account,
  request: SudoRequest,
  context: CommandContext,
): Promise<boolean> {
  if (request.mfaMethod === 'webauthn') return proveSudoByPasskey(ports, account, request, context)
  return request.mfaCode !== null && proveByCode(ports, account, request.mfaCode, context)
}

function requireSudo({ secondFactors }: Account): never {
  const { has_mfa, ...methods } = sudoMethodsObject(secondFactors)
  return rejectWith('SUDO_MODE_REQUIRED', { has_mfa, methods })
}
