import { z } from 'zod'
import { accessOf } from '../../../domain/admin-audit/access-of.ts'
import { channelTypes } from '../../../domain/guild/channel.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { AdminAuditRecord } from '../../ports/queries/admin-audit-queries.ts'
import type { ChannelName, GuildName } from '../../ports/queries/guild-queries.ts'
import { discriminatorOutput, snowflakeOutput, timestampOutput } from '../scalars.ts'
import { valuesInWords } from '../registries-in-words.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

const adminUserSummarySchema = wireObject('AdminUserSummary', {
  id: snowflakeOutput,
  username: z.string(),
  discriminator: discriminatorOutput,
  global_name: z.string().nullable(),
})

export type AdminUserSummary = ObjectOf<typeof adminUserSummarySchema>

const guildSummarySchema = wireObject('AdminGuildSummary', { id: snowflakeOutput, name: z.string() })

const channelSummarySchema = wireObject('AdminChannelSummary', {
  id: snowflakeOutput,
  name: z.string(),
  type: z.int().describe(`The kind of the channel: ${valuesInWords(channelTypes)}`),
  guild_id: snowflakeOutput,
})

export type ChannelSummary = ObjectOf<typeof channelSummarySchema>

export const adminAuditEntrySchema = wireObject('AdminAuditEntry', {
  log_id: snowflakeOutput,
  admin_user_id: snowflakeOutput,
  admin_user: adminUserSummarySchema.nullable(),
  target_type: z.string(),
  target_id: z.string(),
  target_user: adminUserSummarySchema.nullable(),
  target_guild: guildSummarySchema.nullable(),
  target_channel: channelSummarySchema.nullable(),
  related_users: z.record(z.string(), adminUserSummarySchema).describe('Accounts that the entry has to do with.'),
  related_guilds: z.record(z.string(), guildSummarySchema).describe('Guilds that the entry has to do with.'),
  related_channels: z.record(z.string(), channelSummarySchema).describe('Channels that the entry has to do with.'),
  action: z.string(),
  access: z.enum(['read', 'write']).describe('Entries of reads, or of changes; both if it is absent.'),
  audit_log_reason: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  created_at: timestampOutput,
})

export type AdminAuditEntryObject = ObjectOf<typeof adminAuditEntrySchema>

/** The existing objects that the entries of a page refer to, by id. */
export interface Related {
  readonly related_users: Readonly<Record<string, AdminUserSummary>>
  readonly related_guilds: Readonly<Record<string, GuildName>>
  readonly related_channels: Readonly<Record<string, ChannelSummary>>
}

export function adminAuditEntryObject(entry: AdminAuditRecord, related: Related): AdminAuditEntryObject {
  const { targetType, targetId, metadata } = entry
  const channelId = targetType === 'channel' ? targetId : metadata['channel_id']
  return objectOf(adminAuditEntrySchema, {
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
  })
}

export function adminUserSummary(account: AccountRecord): AdminUserSummary {
  return objectOf(adminUserSummarySchema, {
    id: account.id,
    username: account.username,
    discriminator: account.discriminator.toString().padStart(4, '0'),
    global_name: account.profile.globalName,
  })
}

export function channelSummary({ id, name, type, guildId }: ChannelName): ChannelSummary {
  return objectOf(channelSummarySchema, { id, name, type, guild_id: guildId })
}

/** The kind of summary that a target type has; undefined for none. */
export function kindOfTarget(targetType: string): 'user' | 'guild' | 'channel' | undefined {
  if (isUser(targetType)) return 'user'
  return targetType === 'guild' || targetType === 'channel' ? targetType : undefined
}

const isUser = (targetType: string): boolean =>
  ['user', 'guild_member', 'message_deletion', 'message_shred'].includes(targetType)
