import { createHash } from 'node:crypto'
import { hasSecondFactor, type Account } from '../../../domain/account/state.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { ownAccountState } from '../accounts/own-account-state.ts'
import type { Caller } from '../../caller.ts'
import { causeOf } from '../../commands/command-context.ts'
import { reject, rejectWith } from '../../commands/refused.ts'
import { requireCooledDown, requireEmailedCode } from '../emailed-codes/code-checks.ts'
import { newEmailedCode, resend_s } from '../emailed-codes/emailed-code.ts'
import type { Rate } from '../../ports/allowances.ts'
import type { Ports } from '../../ports.ts'
import { backupCodesObject, regenerateBackupCodes, type BackupCodesObject } from './backup-codes.ts'
import { backupCodesProof, backupCodesTicket, backupCodesTicket_s, isTicketOf } from './backup-codes-ticket.ts'
import { requireVerifiedAddress } from './enable-totp.ts'

type Needs = Pick<Ports, 'aggregates' | 'allowances' | 'mail' | 'tickets'>

/**
 * How often the challenge may be started and its mail sent again, and how often its code and its proof may be tried.
 */
const rates = {
  'backup codes challenges of account': { requests: 3, seconds: 15 * 60 },
  'backup codes resends of account': { requests: 3, seconds: 15 * 60 },
  'backup codes verifications of ticket': { requests: 5, seconds: 15 * 60 },
  'backup codes regenerations of ticket': { requests: 5, seconds: 15 * 60 },
} as const satisfies Readonly<Record<string, Rate>>

export interface BackupCodesChallenge {
  readonly ticket: string
  readonly code_expires_at: Timestamp
  readonly resend_available_at: Timestamp
}

/**
 * Mails the caller a code, which shows the backup codes without sudo mode. Refuses with
 * USER_DOES_NOT_HAVE_AN_EMAIL_ADDRESS on `email`, MFA_EMAIL_VERIFICATION_REQUIRED, TWO_FACTOR_REQUIRED and
 * RATE_LIMITED. See rules/credentials#second-factors.
 */
export function startBackupCodesChallenge(ports: Needs) {
  return async (caller: Caller): Promise<BackupCodesChallenge> => {
    const account = await ownAccountState(ports, caller)
    const { id: accountId, email } = account
    if (email === null) return reject('INVALID_FORM_BODY', field('email', 'USER_DOES_NOT_HAVE_AN_EMAIL_ADDRESS'))
    requireVerifiedAddress(account)
    if (!hasSecondFactor(account.secondFactors)) return reject('TWO_FACTOR_REQUIRED')
    await charge(ports, 'backup codes challenges of account', accountId)
    const { text, kept } = newEmailedCode(caller.context)
    const payload = { accountId, email, code: kept }
    const ticket = await ports.tickets.issue(backupCodesTicket, payload, backupCodesTicket_s, accountId)
    await mailCode(ports, caller, account, email, text)
    return {
      ticket,
      code_expires_at: kept.expiresAt,
      resend_available_at: secondsAfter(kept.sentAt, resend_s),
    }
  }
}

/**
 * Mails a new code; the earlier one becomes invalid. Refuses with INVALID_OR_EXPIRED_TICKET on `ticket`, and RATE_LIMITED within
 * 30 s.
 */
export function resendBackupCodesChallenge(ports: Needs) {
  return async (caller: Caller, ticket: string): Promise<void> => {
    const { context } = caller
    const account = await ownAccountState(ports, caller)
    const found = await ports.tickets.look(backupCodesTicket, ticket)
    if (!isTicketOf(found, account)) return refuseTicket()
    requireCooledDown(found, context)
    await charge(ports, 'backup codes resends of account', account.id)
    const { text, kept } = newEmailedCode(context)
    const changed = await ports.tickets.change(backupCodesTicket, ticket, (now) => {
      requireCooledDown(now, context)
      return { ...now, code: kept }
    })
    if (!changed) return refuseTicket()
    await mailCode(ports, caller, account, found.email, text)
  }
}

/** Backup codes, and a proof that can replace them once. */
export interface VerifiedBackupCodes extends BackupCodesObject {
  readonly verification_proof: string
}

/**
 * Uses up the mailed code. Refuses with INVALID_OR_EXPIRED_TICKET on `ticket`, RATE_LIMITED, and on `code` with
 * VERIFICATION_CODE_NOT_ISSUED, VERIFICATION_CODE_EXPIRED or INVALID_VERIFICATION_CODE.
 */
export function verifyBackupCodesChallenge(ports: Needs) {
  return async (caller: Caller, ticket: string, code: string): Promise<VerifiedBackupCodes> => {
    const account = await ownAccountState(ports, caller)
    if (!isTicketOf(await ports.tickets.look(backupCodesTicket, ticket), account)) return refuseTicket()
    await charge(ports, 'backup codes verifications of ticket', hashOf(ticket))
    const changed = await ports.tickets.change(backupCodesTicket, ticket, (found) => {
      requireEmailedCode(found, code, caller.context)
      return { ...found, code: null }
    })
    if (!changed) return refuseTicket()
    const payload = { accountId: account.id, ticket_hash: hashOf(ticket) }
    const proof = await ports.tickets.issue(backupCodesProof, payload, backupCodesTicket_s, account.id)
    return { ...backupCodesObject(account.secondFactors.backupCodes), verification_proof: proof }
  }
}

/**
 * Replaces the backup codes by the proof of the challenge, and ends the challenge. Refuses with RATE_LIMITED,
 * TWO_FACTOR_REQUIRED, and on `verification_proof` with INVALID_OR_EXPIRED_TICKET or INVALID_PROOF_TOKEN.
 */
export function regenerateByChallenge(ports: Needs) {
  return async (caller: Caller, ticket: string, proof: string): Promise<BackupCodesObject> => {
    const { tickets } = ports
    const account = await ownAccountState(ports, caller)
    if (!isTicketOf(await tickets.look(backupCodesTicket, ticket), account))
      return reject('INVALID_FORM_BODY', field('verification_proof', 'INVALID_OR_EXPIRED_TICKET'))
    await charge(ports, 'backup codes regenerations of ticket', hashOf(ticket))
    const found = await tickets.look(backupCodesProof, proof)
    if (found?.accountId !== account.id || found.ticket_hash !== hashOf(ticket)) return refuseProof()
    if (!hasSecondFactor(account.secondFactors)) return reject('TWO_FACTOR_REQUIRED')
    if (!(await tickets.take(backupCodesProof, proof))) return refuseProof()
    await tickets.take(backupCodesTicket, ticket)
    return regenerateBackupCodes(ports, caller)
  }
}

async function mailCode({ mail }: Needs, caller: Caller, account: Account, to: string, code: string): Promise<void> {
  const { id: accountId, username, locale } = account
  const key = `backup codes ${caller.context.commandId}`
  const cause = causeOf(caller.context)
  await mail.send({ accountId, to, template: 'backup_codes', values: { username, code }, locale, key, cause })
}

async function charge({ allowances }: Needs, name: keyof typeof rates, key: string): Promise<void> {
  const allowance = await allowances.take(name, key, rates[name])
  if (!allowance.allowed) rejectWith('RATE_LIMITED', { global: false, retry_after: allowance.retryAfterSeconds })
}

/** Tickets are secrets, so allowances and proofs use a hash of them. */
function hashOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64url')
}

function refuseTicket(): never {
  return reject('INVALID_FORM_BODY', field('ticket', 'INVALID_OR_EXPIRED_TICKET'))
}

function refuseProof(): never {
  return reject('INVALID_FORM_BODY', field('verification_proof', 'INVALID_PROOF_TOKEN'))
}
