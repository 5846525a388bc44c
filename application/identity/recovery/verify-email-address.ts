import { field } from '../../../domain/kernel/refusal.js'
import { refuseBot } from '../../access/refuse-bots.js'
import type { Caller, Requester } from '../../caller.js'
import { contextWith } from '../../commands/following-context.js'
import { reject } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'
import { verifyEmailTicket } from './mailed-tokens.js'
import { chargeVerificationMail } from './recovery-allowances.js'
import { sendVerificationMail } from './send-verification-mail.js'

/**
 * Marks the account's current address as verified, by a mailed single-use token. Refuses with INVALID_FORM_BODY with
 * INVALID_OR_EXPIRED_VERIFICATION_TOKEN on `token`, and with BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED. Reference identity 4.8, row
 * 12.
 */
export function verifyEmailAddress({
  aggregates,
  queries,
  tickets,
}: Pick<Ports, 'aggregates' | 'queries' | 'tickets'>) {
  return async ({ context }: Requester, token: string): Promise<void> => {
    const ticket = await tickets.take(verifyEmailTicket, token)
    if (!ticket) return refuseToken()
    const { accountId } = ticket
    const { state } = await aggregates.account.load(accountId)
    if (state.status !== 'registered') return refuseToken()
    await refuseBot({ queries }, accountId)
    const byHolder = contextWith(context, { actor: { kind: 'account', id: accountId } })
    await aggregates.account.execute(accountId, { type: 'VerifyEmailAddress' }, byHolder)
  }
}

function refuseToken(): never {
  return reject('INVALID_FORM_BODY', field('token', 'INVALID_OR_EXPIRED_VERIFICATION_TOKEN'))
}

/**
 * Mails the caller another token if the address is not verified yet or has bounced since; otherwise does nothing. Refuses with
 * RATE_LIMITED. Reference identity 4.8, row 13.
 */
export function resendVerification(ports: Pick<Ports, 'addressHash' | 'allowances' | 'mail' | 'tickets'>) {
  return async ({ account, context }: Caller): Promise<void> => {
    const { id: accountId, email, emailBounced, emailVerified, username, locale } = account
    if (email === null || (emailVerified && !emailBounced)) return
    await chargeVerificationMail(ports, ports.addressHash(email))
    await sendVerificationMail(ports, { accountId, email, username, locale }, context)
  }
}
