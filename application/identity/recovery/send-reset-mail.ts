import { causeOf, type CommandContext } from '../../commands/command-context.ts'
import type { Ports } from '../../ports.ts'
import { resetPassword_s, resetPasswordTicket } from './mailed-tokens.ts'
import type { Addressee } from './send-verification-mail.ts'

/** Mails a token to choose a new password, once per command. Earlier tokens stay valid. */
export async function sendResetMail(
  { addressHash, mail, tickets }: Pick<Ports, 'addressHash' | 'mail' | 'tickets'>,
  { accountId, email, username, locale }: Addressee,
  context: CommandContext,
): Promise<void> {
  const payload = { accountId, addressHash: addressHash(email) }
  const token = await tickets.issue(resetPasswordTicket, payload, resetPassword_s, accountId)
  const key = `reset ${context.commandId}`
  const values = { username, token }
  await mail.send({ accountId, to: email, template: 'password_reset', values, locale, key, cause: causeOf(context) })
}
