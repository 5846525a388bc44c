/** All defined permission bits. */
export const permissionBits = {
  CREATE_INSTANT_INVITE: 1n << 0n,
  KICK_MEMBERS: 1n << 1n,
  BAN_MEMBERS: 1n << 2n,
  ADMINISTRATOR: 1n << 3n,
  MANAGE_CHANNELS: 1n << 4n,
  MANAGE_GUILD: 1n << 5n,
  ADD_REACTIONS: 1n << 6n,
  VIEW_AUDIT_LOG: 1n << 7n,
  PRIORITY_SPEAKER: 1n << 8n,
  STREAM: 1n << 9n,
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  SEND_TTS_MESSAGES: 1n << 12n,
  MANAGE_MESSAGES: 1n << 13n,
  EMBED_LINKS: 1n << 14n,
  ATTACH_FILES: 1n << 15n,
  READ_MESSAGE_HISTORY: 1n << 16n,
  MENTION_EVERYONE: 1n << 17n,
  USE_EXTERNAL_EMOJIS: 1n << 18n,
  CONNECT: 1n << 20n,
  SPEAK: 1n << 21n,
  MUTE_MEMBERS: 1n << 22n,
  DEAFEN_MEMBERS: 1n << 23n,
  MOVE_MEMBERS: 1n << 24n,
  USE_VAD: 1n << 25n,
  CHANGE_NICKNAME: 1n << 26n,
  MANAGE_NICKNAMES: 1n << 27n,
  MANAGE_ROLES: 1n << 28n,
  MANAGE_WEBHOOKS: 1n << 29n,
  MANAGE_EXPRESSIONS: 1n << 30n,
  MANAGE_THREADS: 1n << 34n,
  CREATE_PUBLIC_THREADS: 1n << 35n,
  CREATE_PRIVATE_THREADS: 1n << 36n,
  USE_EXTERNAL_STICKERS: 1n << 37n,
  SEND_MESSAGES_IN_THREADS: 1n << 38n,
  MODERATE_MEMBERS: 1n << 40n,
  CREATE_EXPRESSIONS: 1n << 43n,
  PIN_MESSAGES: 1n << 51n,
  BYPASS_SLOWMODE: 1n << 52n,
  UPDATE_RTC_REGION: 1n << 53n,
  VIEW_CHANNEL_MEMBERS: 1n << 54n,
} as const

export type PermissionName = keyof typeof permissionBits

/** In the order of their bits. */
export const permissionNames = Object.keys(permissionBits) as readonly PermissionName[]

/** A set of permission bits as a decimal string, as stored and sent. */
export type PermissionMask = string

const union = (...names: readonly PermissionName[]): bigint =>
  names.reduce((mask, name) => mask | permissionBits[name], 0n)

/** All defined bits; a write keeps only these. */
export const definedPermissions: bigint = Object.values(permissionBits).reduce((mask, bit) => mask | bit, 0n)

/** The permissions of the owner and administrators: all 64 bits. */
export const allPermissions = 0xffff_ffff_ffff_ffffn

/** The bits that callers without thread access do not see in masks (rules/roles-and-permissions#masks). */
export const threadPermissions = union(
  'MANAGE_THREADS',
  'CREATE_PUBLIC_THREADS',
  'CREATE_PRIVATE_THREADS',
  'SEND_MESSAGES_IN_THREADS',
)

/** The default permissions of the everyone role, without those of threads. */
export const defaultEveryonePermissions = 8_933_636_165_185n | permissionBits.VIEW_CHANNEL_MEMBERS

/** The permissions of the everyone role of a guild that is created without a template. */
export const newGuildEveryonePermissions =
  defaultEveryonePermissions | union('CREATE_PUBLIC_THREADS', 'CREATE_PRIVATE_THREADS', 'SEND_MESSAGES_IN_THREADS')

/**
 * Permissions that need an authenticator while the guild's MFA level is ELEVATED
 * (rules/roles-and-permissions#elevated).
 */
export const elevatedPermissions = union(
  'KICK_MEMBERS',
  'BAN_MEMBERS',
  'ADMINISTRATOR',
  'MANAGE_CHANNELS',
  'MANAGE_GUILD',
  'MANAGE_MESSAGES',
  'MANAGE_ROLES',
  'MANAGE_WEBHOOKS',
  'MODERATE_MEMBERS',
  'MANAGE_THREADS',
)
