import { describe, expect, it } from 'vitest'
import type { UserGuildSettingsEvent } from '../../../domain/user-guild-settings/events.ts'
import { initialGuildSettings, type UserGuildSettings } from '../../../domain/user-guild-settings/state.ts'
import { userGuildSettings } from '../../../domain/user-guild-settings/user-guild-settings.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { ada, general, home } from '../../../domain/testing/people.ts'
import { userGuildSettingsCommands } from '../../../domain/testing/commands/settings-arbitraries.ts'
import { laws } from '../../support/laws.ts'

laws('userGuildSettings', userGuildSettingsCommands)

const change = (changes: Partial<UserGuildSettings>) =>
  ({ type: 'ChangeUserGuildSettings', accountId: ada, forGuild: home, changes }) as const
const changed = (changes: Partial<UserGuildSettings>): UserGuildSettingsEvent => ({
  type: 'UserGuildSettingsChanged',
  data: { accountId: ada, forGuild: home, changes },
})
const override = {
  channelId: general,
  collapsed: true,
  messageNotifications: 3,
  muted: false,
  muteConfig: null,
  unreadBadges: null,
}

describe('changing the notifications of a guild', () => {
  it('records only the differences, beginning with the defaults', () => {
    given(userGuildSettings, [])
      .when(change({ muted: true, mobilePush: true }))
      .then(changed({ muted: true }))
    given(userGuildSettings, []).when(change(initialGuildSettings)).changesNothing()
  })

  it('replaces the overrides of channels as a whole', () => {
    const others = [{ ...override, muted: true }]
    given(userGuildSettings, [changed({ channelOverrides: [override] })])
      .when(change({ channelOverrides: others }))
      .then(changed({ channelOverrides: others }))
    given(userGuildSettings, [changed({ channelOverrides: [override] })])
      .when(change({ channelOverrides: null }))
      .then(changed({ channelOverrides: null }))
  })

  const lives = histories(userGuildSettings, userGuildSettingsCommands)
  property('ends at the last request, and at a version that counts the changes', lives, ({ steps, events, state }) => {
    for (const { command, after } of steps) expect(after.settings).toMatchObject(command.changes)
    expect(state.version).toBe(events.length)
  })
})
