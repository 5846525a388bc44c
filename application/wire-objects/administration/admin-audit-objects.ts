import type { AccountId } from '../../../domain/ids/ids.ts'
import { accessOf } from '../../../domain/admin-audit/access-of.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { AdminAuditRecord } from '../../ports/queries/admin-audit-queries.ts'
import type { ChannelName, GuildName } from '../../ports/queries/guild-queries.ts'

/** An account that an entry of the admin audit log names. */
export interface AdminUserSummary {
  readonly id: AccountId
  readonly username: string
  /** Four digits. */
  readonly discriminator: string
  readonly global_name: string | null
}

export interface ChannelSummary {
  readonly id: string
  readonly name: string
  readonly type: number
  readonly guild_id: string
}

/** The existing objects that the entries of a page refer to, by id. */
export interface Related {
  readonly related_users: Readonly<Record<string, AdminUserSummary>>
  readonly related_guilds: Readonly<Record<string, GuildName>>
  readonly related_channels: Readonly<Record<string, ChannelSummary>>
}

/** An entry of the admin audit log. */
export type AdminAuditEntryObject = ReturnType<typeof adminAuditEntryObject>

export function adminAuditEntryObject(entry: AdminAuditRecord, related: Related) {
  const { targetType, targetId, metadata } = entry
  const channelId = targetType === 'channel' ? targetId : metadata['channel_id']
  return {
    log_id: entry.id,
    admin_user_id: entry.adminId,
    admin_user: related.related_users[entry.adminId] ?? null,
    target_type: targetType,
    target_id: targetId,
    target_user: isUser(targetType) ? (related.related_users[targetId] ?? null) : null,
    target_guild: targetType === 'guild' ? (related.related_guilds[targetId] ?? null) : null,
    target_channel: channelId === undefined ? null : (related.related_channels[channelId] ?? null),
    ...related,
    action: entry.action,
    access: accessOf(entry.action),
    audit_log_reason: entry.reason,
    metadata,
    created_at: entry.createdAt,
  }
}

export function adminUserSummary(account: AccountRecord): AdminUserSummary {
  return {
    id: account.id,
    username: account.username,
    discriminator: account.discriminator.toString().padStart(4, '0'),
    global_name: account.profile.globalName,
  }
}

export function channelSummary({ id, name, type, guildId }: ChannelName): ChannelSummary {
  return { id, name, type, guild_id: guildId }
}

/** The kind of summary that a target type has; undefined for none. */
export function kindOfTarget(targetType: string): 'user' | 'guild' | 'channel' | undefined {
  if (isUser(targetType)) return 'user'
  return targetType === 'guild' || targetType === 'channel' ? targetType : undefined
}

const isUser = (targetType: string): boolean =>
  ['user', 'guild_member', 'message_deletion', 'message_shred'].includes(targetType)
