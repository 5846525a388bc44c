/** The dispatches that the Gateway sends, by the names that stand in `t` (reference gateway 2.3 and 2.4). */
export type DispatchName =
  | 'READY'
  | 'RESUMED'
  | 'AUTH_SESSION_CHANGE'
  | 'CHANNEL_CREATE'
  | 'CHANNEL_MEMBER_COUNTS_UPDATE'
  | 'GUILD_AUDIT_LOG_ENTRY_CREATE'
  | 'GUILD_BAN_ADD'
  | 'GUILD_COUNTS_UPDATE'
  | 'GUILD_CREATE'
  | 'GUILD_DELETE'
  | 'GUILD_MEMBER_ADD'
  | 'GUILD_MEMBER_REMOVE'
  | 'GUILD_ROLE_CREATE'
  | 'GUILD_SYNC'
  | 'GUILD_UPDATE'
  | 'INVITE_CREATE'
  | 'INVITE_DELETE'
  | 'SESSIONS_REPLACE'
  | 'USER_GUILD_SETTINGS_UPDATE'
  | 'USER_SETTINGS_UPDATE'
  | 'USER_UPDATE'
  | 'WEBAUTHN_CREDENTIALS_UPDATE'

/** What a passive session of a guild with more than 250 members still receives of it (reference gateway 2.2). */
export const heardWhilePassive: ReadonlySet<DispatchName> = new Set([
  'GUILD_UPDATE',
  'GUILD_DELETE',
  'GUILD_AUDIT_LOG_ENTRY_CREATE',
  'CHANNEL_CREATE',
])

/** What an unavailable guild still dispatches to everybody in it (reference gateway 2.1). */
export const heardWhileUnavailable: ReadonlySet<DispatchName> = new Set(['GUILD_UPDATE'])
