import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

let stage: Stage
let ada: Account
let home: Place
beforeEach(async () => {
  stage = await openStage()
  ada = stage.account()
  home = stage.found(ada)
})
afterEach(async () => {
  await stage.end()
})

describe('a dispatch', () => {
  it('of any length arrives unchanged, around every length with another encoding', async () => {
    const client = await stage.identify(ada)
    for (let bytes = 1; bytes <= 64; bytes += 1) {
      const nonce = 'n'.repeat(bytes)
      client.send(15, { guild_ids: [], nonce })
      expect((await client.dispatch('GUILD_COUNTS_UPDATE')).d).toStrictEqual({ counts: [], nonce })
    }
    for (const around of [16_384, 65_536]) {
      for (let bytes = around - 1200; bytes <= around; bytes += 20) {
        const contentWarningText = 'é'.repeat(10) + 'x'.repeat(bytes)
        stage.happen({ type: 'GuildSettingsChanged', data: { guildId: home.id, settings: { contentWarningText } } })
      }
      for (let count = 0; count <= 60; count += 1) await client.dispatch('GUILD_UPDATE')
    }
    expect(client.dispatches.map(({ s }) => s)).toStrictEqual(client.dispatches.map((_, index) => index + 1))
    expect(client.dispatches.at(-1)?.d).toMatchObject({ content_warning_text: 'é'.repeat(10) + 'x'.repeat(65_536) })
  })

  it('goes to sessions with different sequence numbers, each with its own', async () => {
    const early = await stage.identify(ada)
    for (let count = 0; count < 12; count += 1) stage.role(home)
    await stage.heard(home, early)
    const late = await stage.identify(ada)
    await stage.heard(home, early, late)
    expect([early.sequence, late.sequence]).toStrictEqual([27, 2])
    expect(early.dispatches.at(-1)?.d).toStrictEqual(late.dispatches.at(-1)?.d)
  })
})
