import type { GuildEvent, Modifiable } from '../../guild/events.ts'
import type { GuildImage } from '../../guild/state.ts'
import { auditActions } from '../audit-actions.ts'
import { changed, type AuditValue, type DraftsOf } from '../audit-entry.ts'

/** The guild as a whole. A write that changes nothing has no entry. */
export const guildDrafts: DraftsOf<GuildEvent> = {
  GuildModified: ({ guildId, before, after }) => {
    const changes = changed(guildValues(before), guildValues(after))
    if (changes.length === 0) return []
    return [{ guildId, actionType: auditActions.GUILD_UPDATE, targetId: guildId, options: {}, changes }]
  },
  VanityCodeChanged: ({ guildId, before, after }) => {
    if (before?.code === after?.code) return []
    const changes = changed({ vanity_url_code: before?.code ?? null }, { vanity_url_code: after?.code ?? null })
    return [{ guildId, actionType: auditActions.GUILD_UPDATE, targetId: guildId, options: {}, changes }]
  },
  OwnershipTransferred: ({ guildId, from, to }) => [
    {
      guildId,
      actionType: auditActions.GUILD_UPDATE,
      targetId: guildId,
      options: {},
      changes: changed({ owner_id: from }, { owner_id: to }),
    },
  ],
}

type Values = Readonly<Record<string, AuditValue>>

/** The given members of a guild, by the keys of the audit log. */
function guildValues({ banner, splash, embedSplash, icon, features, nsfw, ...plain }: Partial<Modifiable>): Values {
  return {
    ...plainValues(plain),
    ...(icon === undefined ? {} : { icon_hash: icon }),
    ...imageValues('banner', banner),
    ...imageValues('splash', splash),
    ...(embedSplash === undefined ? {} : { embed_splash_hash: embedSplash?.hash ?? null }),
    ...(features === undefined ? {} : { features: features.toSorted() }),
    ...(nsfw === undefined ? {} : { nsfw, nsfw_level: nsfw ? 3 : 0 }),
  }
}

function imageValues(name: string, image: GuildImage | null | undefined): Values {
  if (image === undefined) return {}
  const { hash, width, height } = image ?? { hash: null, width: null, height: null }
  return { [`${name}_hash`]: hash, [`${name}_width`]: width, [`${name}_height`]: height }
}

type Plain = Omit<Partial<Modifiable>, 'banner' | 'splash' | 'embedSplash' | 'icon' | 'features' | 'nsfw'>

/** The members that are logged unchanged, with their keys. */
const keyOf: Readonly<Record<keyof Plain, string>> = {
  name: 'name',
  systemChannelId: 'system_channel_id',
  systemChannelFlags: 'system_channel_flags',
  rulesChannelId: 'rules_channel_id',
  afkChannelId: 'afk_channel_id',
  afkTimeout: 'afk_timeout',
  verificationLevel: 'verification_level',
  mfaLevel: 'mfa_level',
  contentWarningLevel: 'content_warning_level',
  contentWarningText: 'content_warning_text',
  explicitContentFilter: 'explicit_content_filter',
  defaultMessageNotifications: 'default_message_notifications',
  disabledOperations: 'disabled_operations',
  messageHistoryCutoff: 'message_history_cutoff',
  vanityCode: 'vanity_url_code',
  splashCardAlignment: 'splash_card_alignment',
}

function plainValues(plain: Plain): Values {
  const values: Record<string, AuditValue> = {}
  let member: keyof Plain
  for (member in keyOf) {
    const value = plain[member]
    if (value !== undefined) values[keyOf[member]] = value
  }
  return values
}
