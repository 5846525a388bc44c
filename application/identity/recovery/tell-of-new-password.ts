import type { Account } from '../../../domain/account/state.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import type { Ports } from '../../ports.ts'

/** Mails the holder of an account that its password was changed, once per command; does nothing without an address. */
export async function tellOfNewPassword(
  { mail }: Pick<Ports, 'mail'>,
  { id: accountId, email, username, locale }: Pick<Account, 'id' | 'email' | 'username' | 'locale'>,
  { commandId, now }: CommandContext,
): Promise<void> {
  if (email === null) return
  const key = `password changed ${commandId}`
  await mail.send({ accountId, to: email, template: 'password_changed', values: { username, at: now }, locale, key })
}
