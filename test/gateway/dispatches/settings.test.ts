import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DomainEvent } from '../../../domain/kernel/decider.ts'
import type { UserSettingsChanged } from '../../../domain/user-settings/events.ts'
import type { Client } from '../support/client.ts'
import { joined, left } from '../support/facts.ts'
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

const changed = ({ id: accountId }: Account, data: Partial<UserSettingsChanged>): DomainEvent => ({
  type: 'UserSettingsChanged',
  data: { accountId, changes: {}, ...data },
})
const changedFor = ({ id: accountId }: Account, forGuild: Place['id'] | null, changes: object): DomainEvent => ({
  type: 'UserGuildSettingsChanged',
  data: { accountId, forGuild, changes },
})
/** The status of the session itself, which READY lists last. */
function statusOf({ dispatches }: Client): unknown {
  const sessions = dispatches[0]?.d['sessions']
  return Array.isArray(sessions) ? Object(sessions.at(-1))['status'] : undefined
}

describe('the presence that a session begins with', () => {
  it.each([
    ['absent', undefined, 'dnd'],
    ['null', null, 'dnd'],
    ['no text', 7, 'dnd'],
    ['unknown', 'unknown', 'dnd'],
    ['online while the saved one differs', 'online', 'dnd'],
    ['an empty text, which is online', '', 'online'],
    ['idle', 'idle', 'idle'],
    ['offline, which is invisible', 'offline', 'invisible'],
  ] as const)('has the saved status if Identify has none: %s', async (_, status, expected) => {
    stage.happen(changed(ada, { changes: { status: 'dnd' } }))
    const presence = status === undefined ? {} : { status }
    expect(statusOf(await stage.identify(ada, { presence }))).toBe(expected)
  })

  it('has the status that the saved one becomes by itself', async () => {
    const statusResetsAt = '2020-01-01T00:00:00.000Z' as UserSettingsChanged['changes']['statusResetsAt']
    stage.happen(
      changed(ada, { changes: { status: 'dnd', statusResetsTo: 'idle', ...(statusResetsAt && { statusResetsAt }) } }),
    )
    expect(statusOf(await stage.identify(ada))).toBe('idle')
  })

  it('does not count an account as online if its saved status is invisible', async () => {
    stage.happen(changed(ada, { changes: { status: 'invisible' } }))
    await stage.identify(ada)
    expect((await stage.gateway.presence.onlineCounts([home.id])).get(home.id)).toBe(0)
  })
})

describe('settings are changed', () => {
  it('and every session of the account hears all of them, and takes the status', async () => {
    const sessions = [await stage.identify(ada), await stage.identify(ada, { presence: { status: 'idle' } })]
    const grace = stage.account()
    stage.happen(joined(home.id, grace.id))
    const other = await stage.identify(grace)
    const customStatus = { text: 'busy', expiresAt: null, emojiId: null, emojiName: null }
    stage.happen(changed(ada, { changes: { status: 'invisible', theme: 'coal' }, customStatus }))
    for (const client of sessions) {
      const { d } = await client.dispatch('USER_SETTINGS_UPDATE')
      expect(d).toMatchObject({
        status: 'invisible',
        theme: 'coal',
        custom_status: { text: 'busy', emoji_animated: false },
        guild_folders: [{ id: -1, guild_ids: [home.id] }],
      })
    }
    expect((await stage.gateway.presence.onlineCounts([home.id])).get(home.id)).toBe(1)
    expect(await stage.heard(home, other)).toStrictEqual([[]])
  })

  it('and later dispatches about the folders include them', async () => {
    const client = await stage.identify(ada)
    const folder = { id: 1, name: 'Work', color: null, flags: 0, icon: 'star', guildIds: [home.id] } as const
    const stays = stage.models.staysOf(ada.id)
    stage.happen(changed(ada, { guildFolders: { folders: [folder], stays } }))
    await client.dispatch('USER_SETTINGS_UPDATE')
    const away = stage.found(stage.account())
    stage.happen(joined(away.id, ada.id))
    expect((await client.dispatch('USER_SETTINGS_UPDATE')).d['guild_folders']).toMatchObject([
      { id: -1, guild_ids: [away.id] },
      { id: 1, guild_ids: [home.id] },
    ])
  })

  it('between the snapshot and the start of a session, which hears of it', async () => {
    const held = stage.models.hold('snapshot')
    const starting = stage.identify(ada)
    await held.asked
    stage.happen(changed(ada, { changes: { theme: 'coal' } }))
    await stage.handled()
    held.answer()
    const client = await starting
    expect(client.dispatches[0]?.d).toMatchObject({ user_settings: { theme: 'system' } })
    expect((await client.dispatch('USER_SETTINGS_UPDATE')).d).toMatchObject({ theme: 'coal' })
  })
})

describe('settings for a guild are changed', () => {
  it('and every session of the account hears all of them', async () => {
    const client = await stage.identify(ada)
    stage.happen(changedFor(ada, home.id, { muted: true }), changedFor(ada, null, { suppressRoles: true }))
    const first = await client.dispatch('USER_GUILD_SETTINGS_UPDATE')
    expect(first.d).toMatchObject({ guild_id: home.id, muted: true, mobile_push: true, version: 1 })
    const second = await client.dispatch('USER_GUILD_SETTINGS_UPDATE')
    expect(second.d).toMatchObject({ guild_id: null, suppress_roles: true, channel_overrides: null, version: 1 })
    const later = await stage.identify(ada)
    expect(later.dispatches[0]?.d['user_guild_settings']).toStrictEqual([second.d, first.d])
  })

  it('and are kept for a member who leaves and comes back, and hears of them after the guild', async () => {
    const grace = stage.account()
    stage.happen(joined(home.id, grace.id), changedFor(grace, home.id, { muted: true }), left(home.id, grace.id))
    const client = await stage.identify(grace)
    expect(client.dispatches[0]?.d).toMatchObject({ user_guild_settings: [] })
    stage.happen(joined(home.id, grace.id))
    const { d } = await client.dispatch('USER_GUILD_SETTINGS_UPDATE')
    expect(d).toMatchObject({ guild_id: home.id, muted: true, version: 1 })
    const names = client.dispatches.map(({ t }) => t)
    expect(names.slice(names.indexOf('GUILD_CREATE'))).toStrictEqual([
      'GUILD_CREATE',
      'USER_SETTINGS_UPDATE',
      'USER_GUILD_SETTINGS_UPDATE',
    ])
  })
})
