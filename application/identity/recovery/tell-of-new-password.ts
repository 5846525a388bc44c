import type { Account } from '../../../domain/account/state.ts'
import { causeOf, type CommandContext } from '../../commands/command-context.ts'
import type { Ports } from '../../ports.ts'

/** Mails the holder of an account that its password was changed, once per command; does nothing without an address. */
export async function tellOfNewPassword(
  { mail }: Pick<Ports, 'mail'>,
  { id: accountId, email, username, locale }: Pick<Account, 'id' | 'email' | 'username' | 'locale'>,
  context: CommandContext,
): Promise<void> {
  if (email === null) return
  const key = `password changed ${context.commandId}`
  const values = { username, at: context.now }
  await mail.send({ accountId, to: email, template: 'password_changed', values, locale, key, cause: causeOf(context) })
}
