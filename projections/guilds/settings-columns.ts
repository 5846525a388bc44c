import type { GuildSettings } from '../../domain/guild/state.ts'
import type { ColumnValue, Row } from '../runner/projection.ts'

/** The column of each setting. */
const columnOf: Readonly<Record<keyof GuildSettings, string>> = {
  icon: 'icon',
  banner: 'banner',
  splash: 'splash',
  embedSplash: 'embed_splash',
  systemChannelId: 'system_channel_id',
  systemChannelFlags: 'system_channel_flags',
  rulesChannelId: 'rules_channel_id',
  afkChannelId: 'afk_channel_id',
  afkTimeout: 'afk_timeout',
  verificationLevel: 'verification_level',
  mfaLevel: 'mfa_level',
  nsfw: 'nsfw',
  contentWarningLevel: 'content_warning_level',
  contentWarningText: 'content_warning_text',
  explicitContentFilter: 'explicit_content_filter',
  defaultMessageNotifications: 'default_message_notifications',
  disabledOperations: 'disabled_operations',
  messageHistoryCutoff: 'message_history_cutoff',
  vanityCode: 'vanity_code',
  splashCardAlignment: 'splash_card_alignment',
}

/** The given settings as columns, and no others. */
export function settingsColumns(settings: Partial<GuildSettings>): Row {
  const row: Record<string, ColumnValue> = {}
  let name: keyof GuildSettings
  for (name in columnOf) {
    const value = settings[name]
    if (value === undefined) continue
    row[columnOf[name]] = typeof value === 'object' && value !== null ? { ...value } : value
  }
  return row
}
