import type { Account } from '../../../domain/account/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { causeOf, type CommandContext } from '../../commands/command-context.ts'
import type { Ports } from '../../ports.ts'
import { ticketKind } from '../../secrets/ticket-kind.ts'

/** The ticket of the waiting device. */
export const ipAuthorizationTicket = ticketKind<WaitingSignIn>('ip_authorization', 'alphanumeric')
/** The mailed token. Its payload names the waiting device's ticket. */
export const ipAuthorizationToken = ticketKind<{ readonly ticket: string }>('ip_authorization_token', 'alphanumeric')
export const ipAuthorization_s = 15 * 60
/** How long the session's token can be fetched. */
export const completedIpAuthorization_s = 60

/** A sign-in that waits until its mail is read. */
export interface WaitingSignIn {
  readonly accountId: AccountId
  /** The address of the mail, and the account's credentials at that time. If either changes, the sign-in is void. */
  readonly email: string
  readonly credentialVersion: number
  /** The waiting device. */
  readonly ip: string
  readonly userAgent: string | null
  readonly issuedAt: Timestamp
  readonly isResent: boolean
  /** The token of its session; null until the mailed token is presented. */
  readonly sessionToken: string | null
  /** Whether that session has begun. */
  readonly isCompleted: boolean
}

type Addressee = Pick<Account, 'id' | 'username' | 'locale'>

/** Mails a token that lets a waiting device in, once per command. Earlier tokens stay valid. */
export async function mailIpAuthorization(
  { mail, tickets }: Pick<Ports, 'mail' | 'tickets'>,
  { id: accountId, username, locale }: Addressee,
  { email: to, ip, userAgent }: WaitingSignIn,
  ticket: string,
  context: CommandContext,
): Promise<void> {
  const token = await tickets.issue(ipAuthorizationToken, { ticket }, ipAuthorization_s, accountId)
  const values = { username, ip, userAgent, token }
  const key = `ip authorization ${context.commandId}`
  const cause = causeOf(context)
  await mail.send({ accountId, to, template: 'ip_authorization', values, locale, key, cause })
}
