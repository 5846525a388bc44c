import type { Account } from '../../../domain/account/state.js'
import type { AccountId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import type { CommandContext } from '../../commands/command-context.js'
import type { Ports } from '../../ports.js'
import { ticketKind } from '../../ports/tickets.js'

/** What the device holds that waits to be let in (reference identity 3.1 and 4.11). */
export const ipAuthorizationTicket = ticketKind<WaitingSignIn>('ip_authorization', 'alphanumeric')
/** What the mail brings; its payload names the ticket that it lets in. */
export const ipAuthorizationToken = ticketKind<{ readonly ticket: string }>('ip_authorization_token', 'alphanumeric')
export const ipAuthorization_s = 15 * 60
/** How long the session can be fetched once it is there (reference identity 3.3). */
export const completedIpAuthorization_s = 60

/** A sign-in that waits for its mail to be read. */
export interface WaitingSignIn {
  readonly accountId: AccountId
  /** The address that the mail went to, and the account's credentials then: with others it is worth nothing. */
  readonly email: string
  readonly credentialVersion: number
  /** The device that waits. */
  readonly ip: string
  readonly userAgent: string | null
  readonly issuedAt: Timestamp
  readonly isResent: boolean
  /** The token of the session that is begun for it; null until the mail's token is given. */
  readonly sessionToken: string | null
  /** Whether that session has begun. */
  readonly isCompleted: boolean
}

type Addressee = Pick<Account, 'id' | 'username' | 'locale'>

/** Mails a token that lets a waiting device in, once a command. Earlier ones go on to serve. */
export async function mailIpAuthorization(
  { mail, tickets }: Pick<Ports, 'mail' | 'tickets'>,
  { id: accountId, username, locale }: Addressee,
  { email: to, ip, userAgent }: WaitingSignIn,
  ticket: string,
  { commandId }: CommandContext,
): Promise<void> {
  const token = await tickets.issue(ipAuthorizationToken, { ticket }, ipAuthorization_s, accountId)
  const values = { username, ip, userAgent, token }
  const key = `ip authorization ${commandId}`
  await mail.send({ accountId, to, template: 'ip_authorization', values, locale, key })
}
