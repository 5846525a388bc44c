import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accountFlags } from '../../../domain/account/flags.ts'
import type { DomainEvent } from '../../../domain/kernel/decider.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import { everybody, openCrowd, type Crowd, type Name } from '../support/crowd.ts'
import { joined } from '../support/facts.ts'

/** Who hears that an account looks different: all in its guilds. */

let crowd: Crowd
beforeEach(async () => {
  crowd = await openCrowd()
})
afterEach(async () => {
  expect(crowd.stage.errors).toStrictEqual([])
  await crowd.stage.end()
})

/** Whom a large guild tells of its members. */
const active = everybody.filter((name) => name !== 'stranger' && name !== 'passive')

/** Who got GUILD_MEMBER_UPDATE about the subject in a guild, each once, for every event of its account. */
async function hearersOf(type: string, data: object): Promise<(guild: GuildId) => readonly Name[]> {
  await crowd.heard()
  crowd.stage.happen({ type, data: { accountId: crowd.ids.subject, ...data } } as DomainEvent)
  const heard = await crowd.heard()
  return (guild) =>
    everybody.flatMap((name) =>
      heard[name]
        .filter(({ t, d }) => t === 'GUILD_MEMBER_UPDATE' && d['guild_id'] === guild)
        .map(({ d }) => {
          expect(d).toMatchObject({ user: { id: crowd.ids.subject } })
          return name
        }),
    )
}

describe('an account that looks different', () => {
  it.each([
    ['TagChanged', { username: 'Countess', discriminator: 1 }],
    ['BotStatusSet', { bot: true }],
    ['SystemStatusSet', { system: true }],
    ['ProfileChanged', { changes: { globalName: 'Countess' }, shownInGuilds: true }],
    ['FlagsChanged', { flags: accountFlags.BUG_HUNTER.toString(), before: '0' }],
    ['FlagsChanged', { flags: (accountFlags.STAFF | accountFlags.STAFF_HIDDEN).toString(), before: '1' }],
  ])('is told to each of its guilds: %s', async (type, data) => {
    const hearers = await hearersOf(type, data)
    expect(hearers(crowd.home.id)).toStrictEqual(active)
    expect(hearers(crowd.square.id)).toStrictEqual(everybody)
  })

  it.each([
    ['FlagsChanged', { flags: accountFlags.ACCOUNT_LIMITED.toString(), before: '0' }],
    ['ProfileChanged', { changes: { bio: 'Notes' } }],
    ['PremiumFlagsChanged', { flags: 1 }],
  ])('is told to no guild where nobody sees the change: %s', async (type, data) => {
    const hearers = await hearersOf(type, data)
    expect(hearers(crowd.home.id)).toStrictEqual([])
  })

  it('is told where it has no session here', async () => {
    const { stage, home, clients } = crowd
    const away = stage.account()
    stage.happen(joined(home.id, away.id))
    await crowd.heard()
    stage.happen({
      type: 'TagChanged',
      data: { accountId: away.id, username: 'Away', discriminator: 2 },
    } as DomainEvent)
    const { d } = await clients.owner.dispatch('GUILD_MEMBER_UPDATE')
    expect(d).toMatchObject({ guild_id: home.id, user: { id: away.id } })
  })
})
