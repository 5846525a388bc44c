/** All Admin ACLs, in registry order. */
export const adminAcls = [
  '*',
  'acl:set:user',
  'admin_api_key:manage',
  'application:lookup',
  'application:list:by_owner',
  'application:transfer_ownership',
  'archive:trigger:guild',
  'archive:trigger:user',
  'archive:view_all',
  'asset:purge',
  'audit_log:view',
  'admin:authenticate',
  'jobs:view',
  'jobs:cancel',
  'ban:email:add',
  'ban:email:check',
  'ban:email:remove',
  'ban:phrase:add',
  'ban:phrase:check',
  'ban:phrase:remove',
  'ban:ip:add',
  'ban:ip:check',
  'ban:ip:remove',
  'ban:url:add',
  'ban:url:check',
  'ban:url:remove',
  'ban:url_domain:add',
  'ban:url_domain:check',
  'ban:url_domain:remove',
  'ban:file_sha:add',
  'ban:file_sha:check',
  'ban:file_sha:remove',
  'ban:avatar_hash:add',
  'ban:avatar_hash:check',
  'ban:avatar_hash:remove',
  'ban:profile_substring:add',
  'ban:profile_substring:check',
  'ban:profile_substring:remove',
  'bulk:add:guild_members',
  'bulk:delete:users',
  'bulk:delete:user_messages',
  'bulk:update:guild_features',
  'bulk:update:user_flags',
  'csam:submit_ncmec',
  'discovery:remove',
  'discovery:review',
  'gateway:memory_stats',
  'gateway:reload_all',
  'gift_codes:generate',
  'guild:audit_log:view',
  'guild:ban_member',
  'guild:delete',
  'guild:force_add_member',
  'guild:kick_member',
  'guild:list:members',
  'guild:lookup',
  'guild:reload',
  'guild:shutdown',
  'guild:transfer_ownership',
  'guild:update:features',
  'guild:update:name',
  'guild:update:settings',
  'guild:update:vanity',
  'instance:config:update',
  'instance:config:view',
  'instance:limit_config:update',
  'instance:limit_config:view',
  'message:delete_all',
  'message:delete',
  'message:lookup',
  'message:shred',
  'report:resolve',
  'report:view',
  'report:view:reporter_pii',
  'system_dm:send',
  'user:cancel:bulk_message_deletion',
  'user:create:password_reset_link',
  'user:delete:recovery_kit',
  'user:delete',
  'user:list:dm_channels',
  'user:list:guilds',
  'user:list:relationships',
  'user:list:sessions',
  'user:lookup',
  'user:remove:relationship',
  'user:view:contact_log',
  'user:view:dob',
  'user:view:email',
  'user:view:ip',
  'user:temp_ban',
  'user:update:bot_status',
  'user:update:dob',
  'user:update:email',
  'user:update:flags',
  'user:update:mfa',
  'user:update:profile',
  'user:update:traits',
  'user:update:username',
  'voice:region:create',
  'voice:region:delete',
  'voice:region:list',
  'voice:region:update',
  'voice:server:create',
  'voice:server:delete',
  'voice:server:list',
  'voice:server:update',
] as const

export type AdminAcl = (typeof adminAcls)[number]

const known: ReadonlySet<string> = new Set(adminAcls)

/** Whether a text is an ACL in the registry. */
export function isAdminAcl(text: string): text is AdminAcl {
  return known.has(text)
}

/** Whether a set of ACLs satisfies one: it contains the ACL, or `*`, which satisfies all. */
export function holdsAcl(held: readonly string[], acl: string): boolean {
  return held.includes('*') || held.includes(acl)
}

/**
 * The sets of ACLs that bound a credential: its account's and, for an Admin key, the key's own. A key can do only what
 * its account can do as well.
 */
export type AclBound = readonly [account: readonly string[], ...key: readonly (readonly string[])[]]

/** Whether each set of the bound satisfies the ACL. */
export function isWithin(bound: AclBound, acl: string): boolean {
  return bound.every((held) => holdsAcl(held, acl))
}

/** The first of some ACLs that a credential within this bound may not grant; undefined if it may grant all. */
export function firstUngrantable(bound: AclBound, acls: readonly string[]): string | undefined {
  return acls.find((acl) => !isWithin(bound, acl))
}
