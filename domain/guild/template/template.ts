/** A guild creation template as sent, with all defaults filled in. */
export interface GuildTemplate {
  readonly verificationLevel: number
  readonly defaultMessageNotifications: number
  readonly explicitContentFilter: number
  /** Names in a template are decimal strings: the integer 1 and the text `1` are the same. Null for none. */
  readonly systemChannelId: string | null
  readonly afkTimeout: number
  readonly systemChannelFlags: number
  readonly roles: readonly TemplateRole[]
  readonly channels: readonly TemplateChannel[]
}

/** A mask as sent: a decimal text or a number, which may be invalid. */
export type SentMask = string | number

export interface TemplateRole {
  readonly id: string
  readonly name: string
  readonly permissions: SentMask
  readonly color: number
  readonly hoist: boolean
  readonly mentionable: boolean
  readonly unicodeEmoji: string | null
}

export interface TemplateChannel {
  readonly id: string
  /** Any number; unknown channel types are skipped. */
  readonly type: number
  readonly name: string
  readonly topic: string | null
  readonly position: number
  readonly parentId: string | null
  readonly bitrate: number | null
  readonly userLimit: number | null
  readonly voiceConnectionLimit: number | null
  readonly nsfw: boolean
  readonly rateLimitPerUser: number
  readonly overwrites: readonly TemplateOverwrite[]
}

export interface TemplateOverwrite {
  readonly id: string
  /** 0 for a role; all others are skipped. */
  readonly type: number
  readonly allow: SentMask
  readonly deny: SentMask
}

export const templateRoles_max = 250
export const templateChannels_max = 500
