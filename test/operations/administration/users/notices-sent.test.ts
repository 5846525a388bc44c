import { describe, expect, it } from 'vitest'
import { bodyOf } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'
import { correctionsOn, entriesAbout } from './support.ts'

/** What the audit log says of the mail about an act, where there is a mail server. */

const guildhall = await openServer('mailing')
const { ask } = await correctionsOn(guildhall)

describe('notification_sent', () => {
  it('is true once the mail server has taken the mail: of a ban, its end and a scheduled deletion', async () => {
    const ada = await guildhall.register()
    bodyOf(await ask('PUT', ada.id, 'ban', { duration_hours: 2 }))
    bodyOf(await ask('DELETE', ada.id, 'ban', {}))
    bodyOf(await ask('PUT', ada.id, 'deletion', { reason_code: 2, days: 60 }))
    const entries = (await entriesAbout(guildhall, ada)).filter(({ metadata }) => 'notification_sent' in metadata)
    expect(entries.map(({ action, metadata }) => [action, metadata['notification_sent']])).toStrictEqual([
      ['temp_ban', 'true'],
      ['unban', 'true'],
      ['schedule_deletion', 'true'],
    ])
  })
})
