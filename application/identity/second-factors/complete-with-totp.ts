import { field } from '../../../domain/kernel/refusal.ts'
import type { AuthToken } from '../accounts/start-session.ts'
import type { Requester } from '../../caller.ts'
import { contextWith } from '../../commands/following-context.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { proveByCode } from '../sudo/second-factor-proof.ts'
import { chargeMfaCompletion, completeMfa } from './mfa-completion.ts'
import { accountOfMfaTicket } from './mfa-ticket.ts'

type Needs = Pick<Ports, 'aggregates' | 'allowances' | 'mail' | 'queries' | 'readModels' | 'tickets' | 'totp'>

/** The answer to the challenge after the password. */
export interface TotpCompletion {
  readonly ticket: string
  /** A code of the authenticator, or a backup code. */
  readonly code: string
}

/**
 * Finishes a sign-in by a code. Refuses with INVALID_FORM_BODY: SESSION_TIMEOUT on `ticket`, TOTP_NOT_ENABLED on
 * `code`, and INVALID_CODE on `code`, also for a used code and after too many tries; with UNKNOWN_USER if the account
 * is gone. See rules/credentials#second-step.
 */
export function completeWithTotp(ports: Needs) {
  return async (requester: Requester, { ticket, code }: TotpCompletion): Promise<AuthToken> => {
    const account = await accountOfMfaTicket(ports, ticket)
    if (account.secondFactors.totpSecret === null) reject('INVALID_FORM_BODY', field('code', 'TOTP_NOT_ENABLED'))
    const context = contextWith(requester.context, { actor: { kind: 'account', id: account.id } })
    const isProved =
      (await chargeMfaCompletion(ports, account.id, ticket)) && (await proveByCode(ports, account, code, context))
    if (!isProved) reject('INVALID_FORM_BODY', field('code', 'INVALID_CODE'))
    return completeMfa(ports, requester, account.id, ticket)
  }
}
