import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import { initialGuildSettings, type UserGuildSettings } from '../../domain/user-guild-settings/state.ts'
import type { UserSettingsChanged } from '../../domain/user-settings/events.ts'
import { firstArrangement } from '../../domain/user-settings/guild-folders.ts'
import { readModels } from '../../projections/read-models.ts'
import { sessionSnapshots } from '../../projections/session-snapshots/queries.ts'
import { userSettingsQueries } from '../../projections/user-settings/queries.ts'
import { account, after, channel, created, deleted, guild, joined, left, registered } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const queries = () => userSettingsQueries(the.database)
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))
const changed = (accountId: AccountId, data: Partial<UserSettingsChanged>): AnyEvent => ({
  type: 'UserSettingsChanged',
  data: { accountId, changes: {}, ...data },
})
const changedFor = (accountId: AccountId, forGuild: GuildId | null, changes: Partial<UserGuildSettings>): AnyEvent => ({
  type: 'UserGuildSettingsChanged',
  data: { accountId, forGuild, changes },
})

beforeAll(async () => {
  the = await world()
  projector = await the.projector(readModels)
})

afterAll(() => the.close())

const customStatus = { text: null, expiresAt: after(60), emojiId: null, emojiName: '🦊' }

describe('the settings of an account', () => {
  it('are what it chose, and empty before', async () => {
    await happens(registered(1))
    expect(await queries().find(account(1))).toStrictEqual({})
    expect(await queries().find(account(99))).toBe(undefined)
    expect([...(await queries().findMany([account(1), account(99)]))]).toStrictEqual([[account(1), {}]])
    const guildFolders = { ...firstArrangement, stays: [{ guildId: guild(1), joinedAt: after(1) }] }
    const changes = {
      status: 'dnd',
      statusResetsAt: after(60),
      theme: 'coal',
      restrictedGuilds: [guild(1)],
      trustedDomains: ['*'],
      developerMode: false,
      friendSourceFlags: 0,
      staffDmAccessUserIds: [],
    } as const
    await happens(changed(account(1), { changes, guildFolders, customStatus, syncedPreferences: 'AAAA' }))
    const chosen = { ...changes, guildFolders, customStatus, syncedPreferences: 'AAAA' }
    expect(await queries().find(account(1))).toStrictEqual(chosen)
    await happens(changed(account(1), { changes: { theme: 'light', statusResetsAt: null }, customStatus: null }))
    const { statusResetsAt: _1, customStatus: _2, ...rest } = chosen
    expect(await queries().find(account(1))).toStrictEqual({ ...rest, theme: 'light' })
    expect((await queries().findMany([account(1)])).get(account(1))).toStrictEqual({ ...rest, theme: 'light' })
  })

  it('end with the account', async () => {
    await happens(
      registered(2),
      changed(account(2), { changes: { theme: 'coal' }, customStatus, syncedPreferences: 'AA==' }),
    )
    await happens(changedFor(account(2), null, { muted: true }))
    await happens({
      type: 'AccountErasureStarted',
      data: { accountId: account(2), username: 'User2', addressHash: null, identityHashes: [], startedAt: after(1) },
    })
    expect(await queries().find(account(2))).toStrictEqual({})
    expect(await queries().findForGuild(account(2), null)).toBe(undefined)
  })
})

describe('the settings for a guild', () => {
  it('are what was chosen, over the defaults, and count the changes', async () => {
    const [ada, home] = [account(3), guild(3)]
    expect(await queries().findForGuild(ada, home)).toBe(undefined)
    const override = {
      channelId: channel(1),
      collapsed: true,
      messageNotifications: 3,
      muted: false,
      muteConfig: null,
      unreadBadges: null,
    }
    await happens(changedFor(ada, home, { muted: true, channelOverrides: [override], unreadBadges: 1 }))
    await happens(changedFor(ada, home, { mobilePush: false, unreadBadges: null }))
    expect(await queries().findForGuild(ada, home)).toStrictEqual({
      guildId: home,
      settings: { ...initialGuildSettings, muted: true, mobilePush: false, channelOverrides: [override] },
      version: 2,
    })
    await happens(changedFor(ada, home, { channelOverrides: null }))
    expect((await queries().findForGuild(ada, home))?.settings.channelOverrides).toBeNull()
  })

  it('end with the guild', async () => {
    await happens(created(4), changedFor(account(4), guild(4), { muted: true }), deleted(4))
    expect(await queries().findForGuild(account(4), guild(4))).toBe(undefined)
  })
})

describe('a session snapshot', () => {
  it('has what was chosen, for the private channels and the guilds that the account is in', async () => {
    const [ada, home, away] = [account(5), guild(5), guild(6)]
    await happens(registered(5), created(5), created(6), joined(5, 5), joined(6, 5))
    await happens(changed(ada, { changes: { theme: 'coal' } }))
    await happens(...[null, home, away, guild(7)].map((each) => changedFor(ada, each, { muted: true })), left(6, 5))
    const snapshot = await sessionSnapshots(the.database).take(ada)
    const settings = { ...initialGuildSettings, muted: true }
    expect(snapshot?.position).toBe(await the.store.end())
    expect(snapshot?.settings).toStrictEqual({ theme: 'coal' })
    expect(snapshot?.guildSettings).toStrictEqual([
      { guildId: null, settings, version: 1 },
      { guildId: home, settings, version: 1 },
    ])
  })
})
