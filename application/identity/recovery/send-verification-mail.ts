import type { AccountId } from '../../../domain/ids/ids.ts'
import { causeOf, type CommandContext } from '../../commands/command-context.ts'
import type { Ports } from '../../ports.ts'
import { verifyEmail_s, verifyEmailTicket } from './mailed-tokens.ts'

/** The recipient of a mail, and the language. */
export interface Addressee {
  readonly accountId: AccountId
  readonly email: string
  readonly username: string
  readonly locale: string
}

/** Mails a token that verifies an account's address, once per command. Earlier tokens for that address stay valid. */
export async function sendVerificationMail(
  { addressHash, mail, tickets }: Pick<Ports, 'addressHash' | 'mail' | 'tickets'>,
  { accountId, email, username, locale }: Addressee,
  context: CommandContext,
): Promise<void> {
  const payload = { accountId, addressHash: addressHash(email) }
  const token = await tickets.issue(verifyEmailTicket, payload, verifyEmail_s, accountId)
  await mail.send({
    accountId,
    to: email,
    template: 'email_verification',
    values: { username, token },
    locale,
    key: `verify ${context.commandId}`,
    cause: causeOf(context),
  })
}
