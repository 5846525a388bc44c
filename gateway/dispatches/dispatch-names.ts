/** The dispatches of the Gateway, by their names in `t` (reference gateway 2.3 and 2.4). */
export type DispatchName =
  | 'READY'
  | 'RESUMED'
  | 'AUTH_SECURITY_NOTICE'
  | 'AUTH_SESSION_CHANGE'
  | 'CHANNEL_CREATE'
  | 'CHANNEL_DELETE'
  | 'CHANNEL_MEMBER_COUNTS_UPDATE'
  | 'CHANNEL_RECIPIENT_ADD'
  | 'CHANNEL_RECIPIENT_REMOVE'
  | 'CHANNEL_UPDATE'
  | 'CHANNEL_UPDATE_BULK'
  | 'GUILD_AUDIT_LOG_ENTRY_CREATE'
  | 'GUILD_BAN_ADD'
  | 'GUILD_BAN_REMOVE'
  | 'GUILD_COUNTS_UPDATE'
  | 'GUILD_CREATE'
  | 'GUILD_DELETE'
  | 'GUILD_MEMBER_ADD'
  | 'GUILD_MEMBER_REMOVE'
  | 'GUILD_MEMBER_UPDATE'
  | 'GUILD_MEMBERS_CHUNK'
  | 'GUILD_ROLE_CREATE'
  | 'GUILD_ROLE_DELETE'
  | 'GUILD_ROLE_UPDATE'
  | 'GUILD_ROLE_UPDATE_BULK'
  | 'GUILD_SYNC'
  | 'GUILD_UPDATE'
  | 'INVITE_CREATE'
  | 'INVITE_DELETE'
  | 'MESSAGE_CREATE'
  | 'MESSAGE_DELETE'
  | 'MESSAGE_DELETE_BULK'
  | 'MESSAGE_UPDATE'
  | 'PASSIVE_UPDATES'
  | 'PRESENCE_UPDATE'
  | 'PRESENCE_UPDATE_BULK'
  | 'RATE_LIMITED'
  | 'RELATIONSHIP_ADD'
  | 'RELATIONSHIP_REMOVE'
  | 'RELATIONSHIP_UPDATE'
  | 'SESSIONS_REPLACE'
  | 'THREAD_CREATE'
  | 'THREAD_DELETE'
  | 'THREAD_MEMBERS_UPDATE'
  | 'THREAD_MEMBER_UPDATE'
  | 'THREAD_UPDATE'
  | 'USER_GUILD_SETTINGS_UPDATE'
  | 'USER_SETTINGS_UPDATE'
  | 'USER_UPDATE'
  | 'WEBAUTHN_CREDENTIALS_UPDATE'

/** What a passive session of a guild with more than 250 members still receives (reference gateway 2.2). */
export const heardWhilePassive: ReadonlySet<DispatchName> = new Set([
  'GUILD_UPDATE',
  'GUILD_DELETE',
  'GUILD_ROLE_UPDATE',
  'GUILD_ROLE_UPDATE_BULK',
  'GUILD_AUDIT_LOG_ENTRY_CREATE',
  'CHANNEL_CREATE',
  'CHANNEL_UPDATE',
  'CHANNEL_UPDATE_BULK',
  'CHANNEL_DELETE',
])

/** What an unavailable guild still dispatches to everybody in it (reference gateway 2.1). */
export const heardWhileUnavailable: ReadonlySet<DispatchName> = new Set(['GUILD_UPDATE'])
