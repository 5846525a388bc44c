import type { AccountId } from '../../../domain/ids/ids.js'
import type { Theme } from '../../../domain/user-settings/settings.js'
import type { CommandContext } from '../../commands/command-context.js'
import { contextWith } from '../../commands/following-context.js'
import type { Ports } from '../../ports.js'

/** Sets the theme chosen at registration; null keeps the default one. */
export async function beginWithTheme(
  { aggregates }: Pick<Ports, 'aggregates'>,
  accountId: AccountId,
  theme: Theme | null,
  context: CommandContext,
): Promise<void> {
  if (theme === null) return
  const standing = { stays: [], isAdult: false, isStaff: false, now: context.now }
  const change = { type: 'ChangeUserSettings', accountId, changes: { theme }, ...standing } as const
  const own = contextWith(context, { actor: { kind: 'account', id: accountId } })
  await aggregates.userSettings.execute(accountId, change, own)
}
