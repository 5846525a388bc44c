import type { Account } from '../../../domain/account/state.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { refuseBot } from '../../access/refuse-bots.ts'
import type { Caller, Requester } from '../../caller.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { contextWith } from '../../commands/following-context.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { verifyEmailTicket } from './mailed-tokens.ts'
import { chargeVerificationMail } from './recovery-allowances.ts'
import { sendVerificationMail } from './send-verification-mail.ts'

/**
 * Marks the address that a single-use token was mailed to as verified. Refuses with INVALID_FORM_BODY with
 * INVALID_OR_EXPIRED_VERIFICATION_TOKEN on `token`, also if the account has another address by now, and with
 * BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED. See rules/credentials#verify-an-address.
 */
export function verifyEmailAddress({
  addressHash,
  aggregates,
  queries,
  tickets,
}: Pick<Ports, 'addressHash' | 'aggregates' | 'queries' | 'tickets'>) {
  return async ({ context }: Requester, token: string): Promise<void> => {
    const ticket = await tickets.take(verifyEmailTicket, token)
    if (!ticket) return refuseToken()
    const { accountId } = ticket
    const { state } = await aggregates.account.load(accountId)
    if (state.status !== 'registered' || state.email === null) return refuseToken()
    await refuseBot({ queries }, accountId)
    const { email } = state
    if (addressHash(email) !== ticket.addressHash) return refuseToken()
    const byHolder = contextWith(context, { actor: { kind: 'account', id: accountId } })
    await aggregates.account.execute(accountId, { type: 'VerifyEmailAddress', email }, byHolder)
  }
}

function refuseToken(): never {
  return reject('INVALID_FORM_BODY', field('token', 'INVALID_OR_EXPIRED_VERIFICATION_TOKEN'))
}

/** What resending needs. */
export type ResendingNeeds = Pick<Ports, 'addressHash' | 'allowances' | 'mail' | 'tickets'>

/** Mails the caller another token, as `resendVerificationTo` does. */
export function resendVerification(ports: ResendingNeeds) {
  return ({ account, context }: Caller): Promise<void> => resendVerificationTo(ports, account, context)
}

/**
 * Mails the holder of an account another token if the address is not verified yet or has bounced since; otherwise does nothing.
 * Refuses with RATE_LIMITED.
 */
export async function resendVerificationTo(
  ports: ResendingNeeds,
  { id: accountId, email, emailBounced, emailVerified, username, locale }: UnverifiedAccount,
  context: CommandContext,
): Promise<void> {
  if (email === null || (emailVerified && !emailBounced)) return
  await chargeVerificationMail(ports, ports.addressHash(email))
  await sendVerificationMail(ports, { accountId, email, username, locale }, context)
}

type UnverifiedAccount = Pick<Account, 'id' | 'email' | 'emailBounced' | 'emailVerified' | 'username' | 'locale'>
