import type { AccountId } from '../../../domain/ids/ids.js'
import type { CommandContext } from '../../commands/command-context.js'
import type { Ports } from '../../ports.js'
import { verifyEmail_s, verifyEmailTicket } from './mailed-tokens.js'

/** To whom a mail goes, and in which language. */
export interface Addressee {
  readonly accountId: AccountId
  readonly email: string
  readonly username: string
  readonly locale: string
}

/** Mails a token that verifies the address of an account, once a command. Earlier ones go on to serve. Reference identity 4.8. */
export async function sendVerificationMail(
  { mail, tickets }: Pick<Ports, 'mail' | 'tickets'>,
  { accountId, email, username, locale }: Addressee,
  { commandId }: CommandContext,
): Promise<void> {
  const token = await tickets.issue(verifyEmailTicket, { accountId }, verifyEmail_s, accountId)
  await mail.send({
    accountId,
    to: email,
    template: 'email_verification',
    values: { username, token },
    locale,
    key: `verify ${commandId}`,
  })
}
