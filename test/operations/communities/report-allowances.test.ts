import { describe, expect, it } from 'vitest'
import type { TestAccount, TestAnswer } from '../../support/test-guildhall.ts'
import { accept, bodyOf, expectRefusal, invite } from '../support/answers.ts'
import { sent } from '../support/messages.ts'
import { reportIn, reportsOn } from '../support/reports.ts'
import { openScene, openServer } from '../support/scene.ts'

/** How often an account may report, and who has to verify an address first. */

describe('the allowances of reports', async () => {
  const { guildhall, ada, brian, home } = await openScene({ rateLimits: true })
  const { reportMessage, reportUser } = reportsOn(guildhall)
  const channel = async (): Promise<string> => {
    const body = { name: 'more', type: 0 }
    return String(
      bodyOf(await guildhall.request('POST', `/v1/guilds/${home.id}/channels`, { token: ada.token, body }))['id'],
    )
  }
  async function member(): Promise<TestAccount> {
    const account = await guildhall.register()
    bodyOf(await accept(guildhall, account, await invite(guildhall, ada, home.channel)))
    return account
  }
  function expectLimited(answer: TestAnswer): void {
    expectRefusal(answer, 429, 'RATE_LIMITED')
    expect(answer.body).toMatchObject({ global: false, retry_after: expect.any(Number) })
  }

  it('are three reports an hour in a channel, four in a guild and five in all', async () => {
    const dora = await member()
    const message = await sent(guildhall, brian, home.channel, 'Cheap watches')
    const more = await channel()
    const other = await sent(guildhall, brian, more, 'More watches')
    for (let filed = 0; filed < 3; filed += 1) reportIn(await reportMessage(dora, home.channel, message))
    expectLimited(await reportMessage(dora, home.channel, message))
    reportIn(await reportMessage(dora, more, other))
    expectLimited(await reportMessage(dora, more, other))
    reportIn(await reportUser(dora, brian))
    expectLimited(await reportUser(dora, brian))
  })

  it('are not charged for reports that are refused, for whatever reason', async () => {
    const dora = await member()
    const message = await sent(guildhall, brian, home.channel, 'Cheap watches')
    for (let refused = 0; refused < 6; refused += 1)
      expectRefusal(await reportUser(dora, dora), 400, 'CANNOT_REPORT_YOURSELF')
    for (let filed = 0; filed < 3; filed += 1) reportIn(await reportMessage(dora, home.channel, message))
    for (let refused = 0; refused < 3; refused += 1) expectLimited(await reportMessage(dora, home.channel, message))
    for (let filed = 0; filed < 2; filed += 1) reportIn(await reportUser(dora, brian))
  })

  it('of one reporter are not those of another', async () => {
    const [dora, emmy] = [await member(), await member()]
    for (let filed = 0; filed < 5; filed += 1) reportIn(await reportUser(dora, brian))
    expectLimited(await reportUser(dora, ada))
    reportIn(await reportUser(emmy, brian))
  })
})

describe('an address', async () => {
  const guildhall = await openServer('mailing')
  const { reportUser } = reportsOn(guildhall)

  it('has to be verified before its account can report', async () => {
    const [dora, brian] = [await guildhall.register(), await guildhall.register()]
    expectRefusal(await reportUser(dora, brian), 403, 'REPORT_EMAIL_VERIFICATION_REQUIRED')
    const { text } = await guildhall.mailTo(dora.email)
    const token = /token=([\w-]+)/.exec(text)?.[1]
    expect((await guildhall.request('POST', '/v1/auth/verify', { body: { token } })).status).toBeLessThan(300)
    reportIn(await reportUser(dora, brian))
  })
})
