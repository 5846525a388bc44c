import { snakeCased } from '../../../domain/text/letter-case.ts'
import type { ChannelOverride, MuteConfig } from '../../../domain/user-guild-settings/state.ts'
import type { UserGuildSettingsRecord } from '../../ports/queries/user-settings-queries.ts'

export type UserGuildSettingsObject = ReturnType<typeof userGuildSettingsObject>

/** An account's settings for a guild, or for its private channels. */
export function userGuildSettingsObject({ guildId, settings, version }: UserGuildSettingsRecord) {
  const { channelOverrides, muteConfig, ...plain } = settings
  return {
    guild_id: guildId,
    ...snakeCased(plain),
    mute_config: muteConfigObject(muteConfig),
    channel_overrides: channelOverrides && Object.fromEntries(channelOverrides.map(overrideEntry)),
    version,
  }
}

function overrideEntry({ channelId, muteConfig, ...override }: ChannelOverride) {
  return [channelId, { ...snakeCased(override), mute_config: muteConfigObject(muteConfig) }] as const
}

function muteConfigObject(config: MuteConfig | null) {
  return config && snakeCased(config)
}
