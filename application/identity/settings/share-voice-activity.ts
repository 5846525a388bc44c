import type { Caller } from '../../caller.ts'
import type { PrivateUserObject } from '../../wire-objects/identity/user-objects.ts'
import { renewedUser } from '../own-account/renewed-user.ts'
import type { Ports } from '../../ports.ts'

/**
 * Sets whether friends see which voice channels the caller is in, unless set otherwise for one friend. Refuses with
 * INVALID_FORM_BODY with VOICE_ACTIVITY_SHARING_ON_COOLDOWN on `share_voice_activity` within 24 h of the last time.
 */
export function shareVoiceActivity(ports: Pick<Ports, 'aggregates' | 'queries' | 'readModels'>) {
  return async (caller: Caller, shared: boolean): Promise<PrivateUserObject> => {
    const { account, context } = caller
    const choose = { type: 'ChooseVoiceActivitySharing', shared, now: context.now } as const
    await ports.aggregates.account.execute(account.id, choose, context)
    return renewedUser(ports, caller)
  }
}
