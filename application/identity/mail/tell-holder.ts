import type { Account } from '../../../domain/account/state.ts'
import { causeOf, type CommandContext } from '../../commands/command-context.ts'
import type { LetterOf, MailValues } from '../../ports/mail.ts'
import type { Ports } from '../../ports.ts'

/** The mails about changes in who can get into an account. */
export type SecurityTemplate =
  | 'new_sign_in'
  | 'passkey_registered'
  | 'totp_enabled'
  | 'totp_disabled'
  | 'backup_codes_replaced'
  | 'admin_key_created'

/** A mail without the common values: the username and the time. */
type SecurityMail = {
  readonly [Template in SecurityTemplate]: Pick<LetterOf<Template>, 'template' | 'values'>
}[SecurityTemplate]

/** The common values of these mails. */
export type SecurityFacts = Pick<MailValues['totp_enabled'], 'username' | 'at'>

type Holder = Pick<Account, 'id' | 'email' | 'emailVerified' | 'username' | 'locale'>

/**
 * Mails the holder of an account about a change, once per command and template. Sends nothing if the account has no address, or
 * an unverified one, which may be a stranger's. Decision 53.
 */
export async function tellHolder(
  { mail }: Pick<Ports, 'mail'>,
  { id: accountId, email, emailVerified, username, locale }: Holder,
  context: CommandContext,
  write: (facts: SecurityFacts) => SecurityMail,
): Promise<void> {
  if (email === null || !emailVerified) return
  const written = write({ username, at: context.now })
  const key = `${written.template} ${context.commandId}`
  await mail.send({ accountId, to: email, locale, key, cause: causeOf(context), ...written })
}
