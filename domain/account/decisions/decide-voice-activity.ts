import { accept, refuse, type Decision } from '../../kernel/decider.ts'
import { field } from '../../kernel/refusal.ts'
import { msOf, secondsAfter } from '../../kernel/timestamp.ts'
import type { ChooseVoiceActivitySharing } from '../commands.ts'
import type { AccountEvent } from '../events.ts'
import type { Account } from '../state.ts'

/** The minimum time between two choices. */
export const voiceActivitySharing_s = 24 * 3600

/** Refuses with VOICE_ACTIVITY_SHARING_ON_COOLDOWN, whatever the choice. */
export function chooseVoiceActivitySharing(
  { id: accountId, voiceActivitySharing: last }: Account,
  { shared, now }: ChooseVoiceActivitySharing,
): Decision<AccountEvent> {
  if (last && msOf(now) < msOf(secondsAfter(last.chosenAt, voiceActivitySharing_s))) {
    return refuse('INVALID_FORM_BODY', field('share_voice_activity', 'VOICE_ACTIVITY_SHARING_ON_COOLDOWN'))
  }
  return accept({ type: 'VoiceActivitySharingChosen', data: { accountId, shared, chosenAt: now } })
}
