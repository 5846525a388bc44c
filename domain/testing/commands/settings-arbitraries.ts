import fc from 'fast-check'
import { secondsAfter } from '../../kernel/timestamp.ts'
import type { UserGuildSettingsCommand } from '../../user-guild-settings/commands.ts'
import type { UserSettingsCommand } from '../../user-settings/commands.ts'
import type { ChannelOverride, MuteConfig } from '../../user-guild-settings/state.ts'
import { folderIcons, type GuildFolder, type Stay } from '../../user-settings/guild-folders.ts'
import { statuses, themes, type PlainChanges } from '../../user-settings/settings.ts'
import { accounts, ada, away, channels, home, start, third } from '../people.ts'

/** Commands of settings, drawn from a few values each, so that histories use the same values again. */

const oneOf = fc.constantFrom
const record = <Shape>(shape: { [Key in keyof Shape]: fc.Arbitrary<Shape[Key]> }): fc.Arbitrary<Shape> =>
  fc.record(shape, { noNullPrototype: true })
const anybody = oneOf(...accounts)
const instants = fc.integer({ min: 0, max: 30 }).map((minutes) => secondsAfter(start, minutes * 60))
const guilds = [home, away, third] as const

const newFolder: fc.Arbitrary<GuildFolder> = record({
  id: oneOf(null, -1, 1, 2),
  name: oneOf(null, 'Games'),
  color: oneOf(null, 0xff_ff_ff),
  flags: oneOf(0, 1),
  icon: oneOf(...folderIcons),
  guildIds: fc.uniqueArray(oneOf(...guilds)),
})

/** One stay in each of some guilds, in any order. */
export const stays: fc.Arbitrary<readonly Stay[]> = fc.uniqueArray(
  record({ guildId: oneOf(...guilds), joinedAt: instants }),
  { selector: ({ guildId }) => guildId },
)
export const folders: fc.Arbitrary<readonly GuildFolder[]> = fc.array(newFolder, { maxLength: 4 })

const plainChanges: fc.Arbitrary<PlainChanges> = fc.record(
  {
    status: oneOf(...statuses),
    statusResetsAt: fc.option(instants),
    theme: oneOf(...themes),
    restrictedGuilds: fc.uniqueArray(oneOf(...guilds)),
    trustedDomains: fc.uniqueArray(oneOf('*', 'example.org', 'example.com')),
    sensitiveContentGuildFilter: oneOf(0, 1),
    defaultHideMutedChannels: fc.boolean(),
    defaultGuildsRestricted: fc.boolean(),
    botDefaultGuildsRestricted: fc.boolean(),
    staffDmAccessUserIds: fc.uniqueArray(anybody),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const changes: fc.Arbitrary<UserSettingsCommand> = fc
  .record(
    {
      guildFolders: folders,
      customStatus: fc.option(
        record({
          text: oneOf(null, 'busy'),
          expiresAt: fc.option(instants),
          emojiId: oneOf(null, '5'),
          emojiName: oneOf(null, '🦊'),
        }),
      ),
      syncedPreferences: oneOf('', 'AAAA', 'no base64'),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  .chain((wishes) =>
    record({
      type: oneOf('ChangeUserSettings' as const),
      accountId: oneOf(ada),
      changes: plainChanges,
      stays,
      isAdult: fc.boolean(),
      isStaff: fc.boolean(),
      now: instants,
    }).map((standing) => ({ ...standing, ...wishes })),
  )

export const userSettingsCommands: fc.Arbitrary<UserSettingsCommand> = fc.oneof(
  { weight: 4, arbitrary: changes },
  {
    weight: 1,
    arbitrary: record({
      type: oneOf('RestrictJoinedGuild' as const),
      accountId: oneOf(ada),
      guildId: oneOf(...guilds),
    }),
  },
)

const override: fc.Arbitrary<ChannelOverride> = record({
  channelId: oneOf(...channels),
  collapsed: fc.boolean(),
  messageNotifications: oneOf(0, 3),
  muted: fc.boolean(),
  muteConfig: oneOf(null),
  unreadBadges: oneOf(null, 1),
})
const muteConfig: fc.Arbitrary<MuteConfig> = record({
  endTime: fc.option(instants),
  selectedTimeWindow: oneOf(-1, 900),
})

export const userGuildSettingsCommands: fc.Arbitrary<UserGuildSettingsCommand> = record({
  type: oneOf('ChangeUserGuildSettings'),
  accountId: oneOf(ada),
  forGuild: oneOf(home),
  changes: fc.record(
    {
      messageNotifications: oneOf(0, 1, 2, 3),
      muted: fc.boolean(),
      muteConfig: fc.option(muteConfig),
      channelOverrides: fc.option(fc.uniqueArray(override, { selector: ({ channelId }) => channelId, minLength: 1 })),
    },
    { requiredKeys: [], noNullPrototype: true },
  ),
})
