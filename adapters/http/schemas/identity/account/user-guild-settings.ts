import { z } from 'zod'
import { channelId } from '../../../../../domain/ids/ids.ts'
import { parseSnowflake } from '../../../../../domain/ids/snowflake.ts'
import { camelCased } from '../../../../../domain/text/letter-case.ts'
import { notificationLevels, type ChannelOverride } from '../../../../../domain/user-guild-settings/state.ts'
import { entriesOfRecord } from '../../lists.ts'
import { guildIdInput, issue, orNull, withDefault } from '../../scalars.ts'
import { timestampOrMsInput } from '../../timestamps.ts'

const level = z.int().min(notificationLevels.ALL_MESSAGES).max(notificationLevels.INHERIT)
/** Twice what a guild may have, so that overrides of deleted channels take no space from others. */
const channelOverrides_max = 1000

const muteConfig = z
  .object({ end_time: orNull(timestampOrMsInput), selected_time_window: z.int() })
  .transform((given) => camelCased(given))

const channelOverride = z.object({
  collapsed: withDefault(z.boolean(), false),
  message_notifications: withDefault(level, notificationLevels.INHERIT),
  muted: withDefault(z.boolean(), false),
  mute_config: orNull(muteConfig),
  unread_badges: orNull(level),
})

/**
 * By channel in the body; a list in the order of ids from here on, so that no name from outside becomes a member's name. An
 * empty list becomes null.
 */
const channelOverrides = z
  .record(z.string(), channelOverride)
  .register(entriesOfRecord, { entries_max: channelOverrides_max })
  .transform((given, context): readonly ChannelOverride[] | null => {
    const entries = Object.entries(given)
    if (entries.length > channelOverrides_max) return issue(context, 'INVALID_FORMAT')
    const overrides = entries.flatMap(([name, override]) => {
      const id = parseSnowflake(name)
      if (id.ok) return [{ channelId: channelId(id.id), ...camelCased(override) }]
      context.addIssue({ code: 'custom', path: [name], message: id.code, params: { code: id.code } })
      return []
    })
    return overrides.length === 0 ? null : overrides
  })

/**
 * The body of Modify user guild settings. Members that are not sent stay as they are; guild_id and version are dropped.
 */
export const userGuildSettingsPatch = z
  .object({
    message_notifications: level.exactOptional(),
    muted: z.boolean().exactOptional(),
    mute_config: muteConfig.nullable().exactOptional(),
    mobile_push: z.boolean().exactOptional(),
    suppress_everyone: z.boolean().exactOptional(),
    suppress_roles: z.boolean().exactOptional(),
    hide_muted_channels: z.boolean().exactOptional(),
    channel_overrides: channelOverrides.nullable().exactOptional(),
    unread_badges: level.nullable().exactOptional(),
  })
  .transform((given) => camelCased(given))

/** The guild of the settings: 0 means the private channels. */
export const settingsGuildParams = z.object({
  guild_id: guildIdInput.transform((id) => (id === '0' ? null : id)),
})
