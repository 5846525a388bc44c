import { z } from 'zod'
import { snakeCased } from '../../../domain/text/letter-case.ts'
import { type ChannelOverride, type MuteConfig, notificationLevels } from '../../../domain/user-guild-settings/state.ts'
import type { UserGuildSettingsRecord } from '../../ports/queries/user-settings-queries.ts'
import { timestampOutput, snowflakeOutput } from '../scalars.ts'
import { valuesInWords } from '../registries-in-words.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

const muteConfigSchema = z
  .object({
    end_time: timestampOutput.nullable().describe('When it ends; null for never.'),
    selected_time_window: z.int().describe('The duration that the person chose, in seconds; -1 for ever.'),
  })
  .nullable()

/** The settings of an account for a guild, or for its private channels: `guild_id` is then null. */
export const userGuildSettingsSchema = wireObject('UserGuildSettings', {
  guild_id: snowflakeOutput.nullable(),
  message_notifications: z.int().describe(`What notifies: ${valuesInWords(notificationLevels)}`),
  muted: z.boolean().describe('Whether nothing notifies.'),
  mute_config: muteConfigSchema.describe('How long it is muted; null for ever.'),
  mobile_push: z.boolean().describe('Whether phones are notified.'),
  suppress_everyone: z.boolean().describe('Whether mentions of everyone do not notify.'),
  suppress_roles: z.boolean().describe('Whether mentions of roles do not notify.'),
  hide_muted_channels: z.boolean().describe('Whether the client hides muted channels.'),
  channel_overrides: z
    .record(
      z.string(),
      z.object({
        collapsed: z.boolean().describe('Whether the client shows the category closed.'),
        message_notifications: z.int().describe(`What notifies: ${valuesInWords(notificationLevels)}`),
        muted: z.boolean().describe('Whether nothing notifies.'),
        mute_config: muteConfigSchema.describe('How long it is muted; null for ever.'),
        unread_badges: z
          .int()
          .nullable()
          .describe(`What counts as unread: ${valuesInWords(notificationLevels)} Null for the default.`),
      }),
    )
    .nullable()
    .describe('By the id of the channel; null or empty for none.'),
  unread_badges: z
    .int()
    .nullable()
    .describe(`What counts as unread: ${valuesInWords(notificationLevels)} Null for the default.`),
  version: z.int().describe('Rises with each change.'),
})

export type UserGuildSettingsObject = ObjectOf<typeof userGuildSettingsSchema>

/** An account's settings for a guild, or for its private channels. */
export function userGuildSettingsObject({
  guildId,
  settings,
  version,
}: UserGuildSettingsRecord): UserGuildSettingsObject {
  const { channelOverrides, muteConfig, ...plain } = settings
  return objectOf(userGuildSettingsSchema, {
    guild_id: guildId,
    ...snakeCased(plain),
    mute_config: muteConfigObject(muteConfig),
    channel_overrides: channelOverrides && Object.fromEntries(channelOverrides.map(overrideEntry)),
    version,
  })
}

function overrideEntry({ channelId, muteConfig, ...override }: ChannelOverride) {
  return [channelId, { ...snakeCased(override), mute_config: muteConfigObject(muteConfig) }] as const
}

function muteConfigObject(config: MuteConfig | null) {
  return config && snakeCased(config)
}
