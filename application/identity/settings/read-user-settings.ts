import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { userSettingsObject, type UserSettingsObject } from '../../wire-objects/identity/user-settings-object.ts'
import type { Ports } from '../../ports.ts'

/**
 * The caller's settings: those it has chosen, and initial values for all others. Refuses with UNKNOWN_USER if the
 * account is gone.
 */
export function readUserSettings({ queries }: Pick<Ports, 'queries'>) {
  return async ({ account, context }: Caller): Promise<UserSettingsObject> => {
    const [chosen, stays] = await Promise.all([
      queries.userSettings.find(account.id),
      queries.members.ofAccount(account.id),
    ])
    if (!chosen) return reject('UNKNOWN_USER')
    return userSettingsObject({ account, chosen, stays }, context.now)
  }
}
