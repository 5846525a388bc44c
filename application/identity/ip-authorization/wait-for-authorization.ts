import { field } from '../../../domain/kernel/refusal.ts'
import { msOf, secondsAfter } from '../../../domain/kernel/timestamp.ts'
import type { AuthToken } from '../accounts/start-session.ts'
import type { Requester } from '../../caller.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject, rejectWith } from '../../commands/refused.ts'
import { resend_s } from '../emailed-codes/emailed-code.ts'
import { partialUserObject } from '../../wire-objects/identity/user-objects.ts'
import type { Ports } from '../../ports.ts'
import { ipAuthorizationTicket, mailIpAuthorization, type WaitingSignIn } from './ip-authorization-tickets.ts'

/**
 * Mails another token for a waiting device, once. Refuses with INVALID_FORM_BODY with
 * INVALID_OR_EXPIRED_AUTHORIZATION_TICKET on `ticket`, IP_AUTHORIZATION_RESEND_COOLDOWN in the first 30 s, and
 * IP_AUTHORIZATION_RESEND_LIMIT_EXCEEDED the second time. See rules/credentials#new-networks.
 */
export function resendIpAuthorization(ports: Pick<Ports, 'aggregates' | 'mail' | 'tickets'>) {
  return async ({ context }: Requester, ticket: string): Promise<void> => {
    const waiting = await ports.tickets.change(ipAuthorizationTicket, ticket, (held) => {
      requireResendable(held, context)
      return { ...held, isResent: true }
    })
    if (!waiting) return refuseTicket()
    const { state } = await ports.aggregates.account.load(waiting.accountId)
    if (state.status !== 'registered') return refuseTicket()
    await mailIpAuthorization(ports, state, waiting, ticket, context)
  }
}

function requireResendable({ isCompleted, isResent, issuedAt }: WaitingSignIn, { now }: CommandContext): void {
  if (isCompleted) refuseTicket()
  const wait_s = Math.ceil((msOf(secondsAfter(issuedAt, resend_s)) - msOf(now)) / 1000)
  if (wait_s > 0) rejectWith('IP_AUTHORIZATION_RESEND_COOLDOWN', { resend_available_in: wait_s, retry_after: wait_s })
  if (isResent) reject('IP_AUTHORIZATION_RESEND_LIMIT_EXCEEDED')
}

/** What a waiting device is told; once its mail was read, its token. */
export type IpAuthorizationPoll = { readonly completed: false } | ({ readonly completed: true } & AuthToken)

/**
 * The state of a waiting sign-in: the same session each time, for 60 s after its start. Refuses with INVALID_FORM_BODY
 * with INVALID_OR_EXPIRED_AUTHORIZATION_TICKET on `ticket`.
 */
export function pollIpAuthorization({ queries, tickets }: Pick<Ports, 'queries' | 'tickets'>) {
  return async (ticket: string): Promise<IpAuthorizationPoll> => {
    const waiting = await tickets.look(ipAuthorizationTicket, ticket)
    if (!waiting) return refuseTicket()
    const { accountId, isCompleted, sessionToken } = waiting
    if (!isCompleted || sessionToken === null) return { completed: false }
    const account = await queries.accounts.find(accountId)
    if (!account) return refuseTicket()
    return { completed: true, token: sessionToken, user_id: accountId, user: partialUserObject(account) }
  }
}

function refuseTicket(): never {
  return reject('INVALID_FORM_BODY', field('ticket', 'INVALID_OR_EXPIRED_AUTHORIZATION_TICKET'))
}
