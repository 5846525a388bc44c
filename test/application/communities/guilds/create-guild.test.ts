import { describe, expect, it } from 'vitest'
import { createGuild } from '../../../../application/communities/guilds/create-guild.ts'
import { accountFlags } from '../../../../domain/account/flags.ts'
import { guildId, type AccountId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { codeOf } from '../../support/refusals.ts'
import { world, type World } from '../../support/world.ts'

const plain = { name: 'Home', emptyFeatures: false, icon: null, template: null }

async function create(on: World, account: AccountId, wishes = plain) {
  return createGuild(on.ports)(await on.as(account), wishes)
}

describe('creating a guild', () => {
  it('gives it the default layout and features, and makes its owner the first member', async () => {
    const on = world()
    const ada = await on.newcomer()
    const made = await create(on, ada)
    const id = guildId(snowflake(made.id))
    expect(made).toMatchObject({ name: 'Home', owner_id: ada, afk_timeout: 300, icon: null, vanity_url_code: null })
    expect(made.features).toStrictEqual(['ANIMATED_ICON', 'ANIMATED_BANNER', 'BANNER', 'INVITE_SPLASH'])
    expect(made).not.toHaveProperty('roles')
    expect(made).not.toHaveProperty('permissions')
    const found = await on.ports.queries.guilds.findFor(id, ada)
    expect(found).toMatchObject({ memberCount: 1, member: { accountId: ada, temporary: false } })
    expect(found?.guild.channels.map(({ name }) => name)).toStrictEqual([
      'Text Channels',
      'Voice Channels',
      'general',
      'General',
    ])
    expect(made.system_channel_id).toBe(found?.guild.channels[2]?.id)
  })

  it('starts without features on request', async () => {
    const on = world()
    const made = await create(on, await on.newcomer(), { ...plain, emptyFeatures: true })
    expect(made.features).toStrictEqual([])
  })

  it.each([
    ['BOTS_CANNOT_CREATE_GUILDS', { bot: true }],
    ['UNCLAIMED_ACCOUNT_CANNOT_CREATE_GUILDS', { hasPassword: false }],
    ['GUILD_CREATION_EMAIL_VERIFICATION_REQUIRED', { emailVerified: false }],
    ['ACCOUNT_LIMITED', { flags: accountFlags.ACCOUNT_LIMITED.toString() }],
  ] as const)('is refused with %s', async (code, members) => {
    const on = world()
    const ada = await on.newcomer()
    on.setAccount(ada, members)
    const before = (await on.events()).length
    expect(await codeOf(create(on, ada))).toBe(code)
    expect(await on.events()).toHaveLength(before)
  })

  it('is refused at the limit of guilds, and possible again after leaving one', async () => {
    const on = world({ limits: { max_guilds: 2 } })
    const ada = await on.newcomer()
    const { id } = await on.guildOf(ada)
    await create(on, ada)
    expect(await codeOf(create(on, ada))).toBe('MAX_GUILDS')
    await on.ports.aggregates.guild.execute(id, { type: 'DeleteGuild', by: ada }, on.requester().context)
    expect(await create(on, ada)).toMatchObject({ name: 'Home' })
  })

  it('creates no more than the limit of many at once', async () => {
    const on = world({ lag_ms: 5, limits: { max_guilds: 7 } })
    const ada = await on.newcomer()
    const outcomes = await Promise.all(
      Array.from({ length: 32 }, () =>
        create(on, ada).then(
          () => 'made',
          (error: Error) => error.message,
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(7)
    expect(outcomes.filter((outcome) => outcome === 'MAX_GUILDS')).toHaveLength(25)
    expect((await on.events()).filter(({ type }) => type === 'GuildCreated')).toHaveLength(7)
  })

  it('returns the same guild when the command is repeated, at the limit too', async () => {
    const on = world({ limits: { max_guilds: 1 } })
    const ada = await on.newcomer()
    const first = await on.as(ada)
    const ids = Array.from({ length: 5 }, () => first.context.newId())
    const again = async (mayRepeat: boolean) => {
      const rest = [...ids]
      const newId = () => rest.shift() ?? snowflake('0')
      return createGuild(on.ports)(await on.as(ada, { commandId: first.context.commandId, mayRepeat, newId }), plain)
    }
    const made = await again(false)
    const before = (await on.events()).length
    on.restart()
    expect(await again(true)).toStrictEqual(made)
    expect(await on.events()).toHaveLength(before)
  })
})
