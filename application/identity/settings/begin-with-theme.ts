import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Theme } from '../../../domain/user-settings/settings.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { contextWith } from '../../commands/following-context.ts'
import type { Ports } from '../../ports.ts'

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
