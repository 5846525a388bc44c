import { isAdult } from '../../../domain/account/is-adult.ts'
import type { SettingsWishes } from '../../../domain/user-settings/commands.ts'
import type { Caller } from '../../caller.ts'
import { isStaff } from '../../wire-objects/identity/user-objects.ts'
import { userSettingsObject, type UserSettingsObject } from '../../wire-objects/identity/user-settings-object.ts'
import type { Ports } from '../../ports.ts'

/**
 * Changes the caller's settings, and gives all of them. The account's sessions are notified even if nothing changes.
 * Refuses with INVALID_FORM_BODY on `custom_status.expires_at` for a time in the past, and with VALIDATION_ERROR with
 * INVALID_TRUSTED_DOMAINS, AGE_RESTRICTED, INVALID_BASE64_FORMAT or BASE64_LENGTH_INVALID.
 */
export function changeUserSettings({
  aggregates,
  queries,
  reminders,
}: Pick<Ports, 'aggregates' | 'queries' | 'reminders'>) {
  return async ({ account, context }: Caller, wishes: SettingsWishes): Promise<UserSettingsObject> => {
    const stays = await queries.members.ofAccount(account.id)
    const { now } = context
    const standing = { stays, isAdult: isAdult(account, now), isStaff: isStaff(account), now }
    const change = { type: 'ChangeUserSettings', accountId: account.id, ...wishes, ...standing } as const
    const { state, changed, repeated } = await aggregates.userSettings.execute(account.id, change, context)
    if (!changed && !repeated) reminders.remind({ accountId: account.id })
    return userSettingsObject({ account, chosen: state.chosen, stays }, now)
  }
}
