import { describe, expect, it } from 'vitest'
import { accept, expectRefusal, found, invite, type TestGuild } from '../../support/answers.ts'
import { addBot, asBot, newApplication } from '../../support/applications.ts'
import { send } from '../../support/messages.ts'
import { openScene } from '../../support/scene.ts'

const { guildhall, ada, brian } = await openScene()

/** A guild whose channel has slow mode. */
async function slowGuild(): Promise<TestGuild> {
  const guild = await found(guildhall, ada, 'Slow')
  const slow = { token: ada.token, body: { rate_limit_per_user: 30 } }
  expect((await guildhall.request('PATCH', `/v1/channels/${guild.channel}`, slow)).status).toBe(200)
  return guild
}

describe('Slow mode', () => {
  it('lets one message of a member through at a time, unless it has BYPASS_SLOWMODE', async () => {
    const guild = await slowGuild()
    await accept(guildhall, brian, await invite(guildhall, ada, guild.channel))
    const answers = await Promise.all([1, 2, 3].map((number) => send(guildhall, brian, guild.channel, `${number}`)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toStrictEqual([200, 400, 400])
    const refused = answers.find(({ status }) => status === 400)
    if (!refused) throw new Error('Nobody was slowed')
    expectRefusal(refused, 400, 'SLOWMODE_RATE_LIMITED')
    const { retry_after: wait } = refused.body as { readonly retry_after: number }
    expect(wait).toBeGreaterThan(20)
    expect(wait).toBeLessThanOrEqual(30)
    expect(refused.headers.get('retry-after')).toBe(String(Math.ceil(wait)))
    expect((await send(guildhall, ada, guild.channel, 'the owner')).status).toBe(200)
    expect((await send(guildhall, ada, guild.channel, 'again')).status).toBe(200)
  })

  it('lets every message of a bot through', async () => {
    const guild = await slowGuild()
    const bot = await newApplication(guildhall, ada)
    await addBot(guildhall, bot, guild)
    expect((await send(guildhall, { token: asBot(bot) }, guild.channel, 'one')).status).toBe(200)
    expect((await send(guildhall, { token: asBot(bot) }, guild.channel, 'another')).status).toBe(200)
  })
})
