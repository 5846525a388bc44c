import { describe, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import { voiceActivitySharing_s } from '../../../domain/account/decisions/decide-voice-activity.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { ada, start } from '../../../domain/testing/people.ts'
import { registered } from './account-story.ts'

const choose = (shared: boolean, now = start) => ({ type: 'ChooseVoiceActivitySharing', shared, now }) as const
const chosen = (shared: boolean, chosenAt: Timestamp = start): AccountEvent => ({
  type: 'VoiceActivitySharingChosen',
  data: { accountId: ada, shared, chosenAt },
})
const onCooldown = field('share_voice_activity', 'VOICE_ACTIVITY_SHARING_ON_COOLDOWN')

describe('sharing voice activity', () => {
  it('is chosen once in 24 hours, whatever is chosen', () => {
    const last = secondsAfter(start, voiceActivitySharing_s - 1)
    const next = secondsAfter(start, voiceActivitySharing_s)
    given(account, [registered]).when(choose(true)).then(chosen(true))
    given(account, [registered]).when(choose(false)).then(chosen(false))
    given(account, [registered, chosen(true)])
      .when(choose(false, last))
      .refuses('INVALID_FORM_BODY', onCooldown)
    given(account, [registered, chosen(true)])
      .when(choose(true, last))
      .refuses('INVALID_FORM_BODY', onCooldown)
    given(account, [registered, chosen(true)])
      .when(choose(false, next))
      .then(chosen(false, next))
  })
})
