import { describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import type { ChangeUserSettings } from '../../../domain/user-settings/commands.ts'
import type { UserSettingsChanged, UserSettingsEvent } from '../../../domain/user-settings/events.ts'
import { firstArrangement, foldersNow } from '../../../domain/user-settings/guild-folders.ts'
import { customStatusAt, statusAt } from '../../../domain/user-settings/settings.ts'
import { syncedPreferences_bytes_max, userSettings } from '../../../domain/user-settings/user-settings.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { ada, away, grace, home, start } from '../../../domain/testing/people.ts'
import { userSettingsCommands } from '../../../domain/testing/commands/settings-arbitraries.ts'
import { laws } from '../../support/laws.ts'

laws('userSettings', userSettingsCommands)

const standing = { accountId: ada, stays: [], isAdult: true, isStaff: false, now: start } as const
const change = (wishes: Partial<ChangeUserSettings>): ChangeUserSettings => ({
  type: 'ChangeUserSettings',
  changes: {},
  ...standing,
  ...wishes,
})
const changed = (data: Partial<UserSettingsChanged>): UserSettingsEvent => ({
  type: 'UserSettingsChanged',
  data: { accountId: ada, changes: {}, ...data },
})
const busy = { text: 'busy', expiresAt: null, emojiId: null, emojiName: null }
const folder = { id: -1, name: null, color: null, flags: 0, icon: 'folder', guildIds: [home] } as const
const later = secondsAfter(start, 60)

describe('changing settings', () => {
  it('records only the differences', () => {
    given(userSettings, [changed({ changes: { theme: 'dark', locale: 'de' } })])
      .when(change({ changes: { theme: 'light', locale: 'de' } }))
      .then(changed({ changes: { theme: 'light' } }))
    given(userSettings, [])
      .when(change({ customStatus: busy, syncedPreferences: 'AAAA' }))
      .then(changed({ customStatus: busy, syncedPreferences: 'AAAA' }))
  })

  it('changes nothing if everything stays the same', () => {
    const before = changed({
      changes: { trustedDomains: ['example.org'] },
      customStatus: busy,
      syncedPreferences: 'AAAA',
    })
    given(userSettings, [before])
      .when(
        change({ changes: { trustedDomains: ['example.org'] }, customStatus: { ...busy }, syncedPreferences: 'AAAA' }),
      )
      .changesNothing()
    given(userSettings, [])
      .when(change({ customStatus: null, syncedPreferences: '' }))
      .changesNothing()
    given(userSettings, [])
      .when(change({ guildFolders: firstArrangement.folders }))
      .changesNothing()
  })

  it('keeps the stays that folders were arranged over', () => {
    const stays = [{ guildId: home, joinedAt: start }]
    given(userSettings, [])
      .when(change({ guildFolders: [{ ...folder, id: 1 }], stays }))
      .then(changed({ guildFolders: { folders: [{ ...folder, id: 1 }], stays } }))
    given(userSettings, [])
      .when(change({ guildFolders: [folder], stays }))
      .changesNothing()
  })

  it('takes a custom status away', () => {
    given(userSettings, [changed({ customStatus: busy })])
      .when(change({ customStatus: null }))
      .then(changed({ customStatus: null }))
  })

  it('ignores what only staff may set', () => {
    const changes = { suppressUnprivilegedSelfMentions: true, staffDmAccessUserIds: [grace] }
    given(userSettings, []).when(change({ changes })).changesNothing()
    given(userSettings, [])
      .when(change({ changes, isStaff: true }))
      .then(changed({ changes }))
  })
})

describe('refusing settings', () => {
  it('refuses a custom status whose time is over', () => {
    const refuses = (expiresAt: typeof start) =>
      given(userSettings, [])
        .when(change({ customStatus: { ...busy, expiresAt } }))
        .refuses('INVALID_FORM_BODY', field('custom_status.expires_at', 'INVALID_FORMAT'))
    refuses(secondsAfter(start, -1))
    refuses(start)
    given(userSettings, [])
      .when(change({ customStatus: { ...busy, expiresAt: later } }))
      .then(changed({ customStatus: { ...busy, expiresAt: later } }))
  })

  it('refuses other domains beside the one that trusts all', () => {
    given(userSettings, [])
      .when(change({ changes: { trustedDomains: ['*', 'example.org'] } }))
      .refuses('VALIDATION_ERROR', field('trusted_domains', 'INVALID_TRUSTED_DOMAINS'))
    given(userSettings, [])
      .when(change({ changes: { trustedDomains: ['*'] } }))
      .then(changed({ changes: { trustedDomains: ['*'] } }))
  })

  it('shows sensitive content to adults alone', () => {
    const changes = { sensitiveContentGuildFilter: 0, sensitiveContentFriendDmFilter: 0 }
    given(userSettings, [])
      .when(change({ changes, isAdult: false }))
      .refuses(
        'VALIDATION_ERROR',
        field('sensitive_content_friend_dm_filter', 'AGE_RESTRICTED'),
        field('sensitive_content_guild_filter', 'AGE_RESTRICTED'),
      )
    given(userSettings, []).when(change({ changes })).then(changed({ changes }))
    given(userSettings, [])
      .when(change({ changes: { sensitiveContentGuildFilter: 1 }, isAdult: false }))
      .then(changed({ changes: { sensitiveContentGuildFilter: 1 } }))
  })

  it('bounds synced preferences by what they are decoded', () => {
    const refuses = (syncedPreferences: string, code: 'INVALID_BASE64_FORMAT' | 'BASE64_LENGTH_INVALID') =>
      given(userSettings, [])
        .when(change({ syncedPreferences }))
        .refuses('VALIDATION_ERROR', field('synced_preferences', code))
    const largest = Buffer.alloc(syncedPreferences_bytes_max).toString('base64')
    given(userSettings, [])
      .when(change({ syncedPreferences: largest }))
      .then(changed({ syncedPreferences: largest }))
    refuses(Buffer.alloc(syncedPreferences_bytes_max + 1).toString('base64'), 'BASE64_LENGTH_INVALID')
    for (const text of ['AAA', 'A===', 'AA=A', 'AAA-', 'äAAA']) refuses(text, 'INVALID_BASE64_FORMAT')
  })
})

describe('settings that expire', () => {
  it('is a status with an end, which becomes the next one', () => {
    const chosen = { status: 'dnd', statusResetsAt: later, statusResetsTo: 'idle' } as const
    expect(statusAt(chosen, start)).toStrictEqual(chosen)
    expect(statusAt(chosen, later)).toStrictEqual({ status: 'idle', statusResetsAt: null, statusResetsTo: null })
    expect(statusAt({ status: 'dnd', statusResetsAt: later }, later)).toMatchObject({ status: 'online' })
    expect(statusAt({}, start)).toMatchObject({ status: 'online' })
  })

  it('is a custom status with an end', () => {
    const customStatus = { ...busy, expiresAt: later }
    expect(customStatusAt({ customStatus }, start)).toStrictEqual(customStatus)
    expect(customStatusAt({ customStatus }, later)).toBeNull()
    expect(customStatusAt({ customStatus: busy }, later)).toStrictEqual(busy)
  })
})

describe('joining a guild', () => {
  const restrict = { type: 'RestrictJoinedGuild', accountId: ada, guildId: home } as const

  it('restricts it where the account takes no direct messages by default', () => {
    given(userSettings, [changed({ changes: { defaultGuildsRestricted: true } })])
      .when(restrict)
      .then(changed({ changes: { restrictedGuilds: [home] } }))
    given(userSettings, [changed({ changes: { botDefaultGuildsRestricted: true, botRestrictedGuilds: [away] } })])
      .when(restrict)
      .then(changed({ changes: { botRestrictedGuilds: [away, home] } }))
    given(userSettings, [changed({ changes: { defaultGuildsRestricted: true, restrictedGuilds: [home] } })])
      .when(restrict)
      .changesNothing()
    given(userSettings, []).when(restrict).changesNothing()
  })
})

describe('whatever is chosen', () => {
  property('becomes what was wished for', histories(userSettings, userSettingsCommands), ({ steps }) => {
    for (const { command, decision, after } of steps) {
      if (decision.outcome === 'refused' || command.type !== 'ChangeUserSettings') continue
      const { customStatus, syncedPreferences, guildFolders, stays, changes } = command
      if (guildFolders) {
        expect(foldersNow(after.chosen.guildFolders ?? firstArrangement, stays)).toStrictEqual(guildFolders)
      }
      if (customStatus !== undefined) expect(after.chosen.customStatus ?? null).toStrictEqual(customStatus)
      if (syncedPreferences !== undefined) expect(after.chosen.syncedPreferences ?? '').toBe(syncedPreferences)
      const { staffDmAccessUserIds: _, ...plain } = changes
      expect(after.chosen).toMatchObject(command.isStaff ? changes : plain)
    }
  })
})
