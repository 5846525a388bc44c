import { z } from 'zod'
import type { AdminAuditSearch } from '../../../../application/ports/queries/admin-audit-queries.ts'
import { queryInteger } from '../query-inputs.ts'
import { accountIdInput, snowflakeInput, textInput } from '../scalars.ts'
import { channelTypes } from '../../../../domain/guild/channel.ts'
import { valuesInWords } from '../../../../application/wire-objects/registries-in-words.ts'
import { snowflakeOutput, timestampOutput } from '../../../../application/wire-objects/scalars.ts'

const page = { min: 1, max: 200, default: 50 }
/** No log has more entries. */
const offset_max = Number.MAX_SAFE_INTEGER

/** The order has an effect only with q. */
export const adminAuditSearch = z
  .object({
    q: textInput({ min: 1, max: 1024 }).optional(),
    admin_user_id: accountIdInput.optional(),
    target_type: textInput({ min: 1, max: 64 }).optional(),
    target_id: snowflakeInput.optional(),
    access: z.enum(['read', 'write']).optional(),
    sort_by: z.enum(['createdAt', 'relevance']).default('createdAt'),
    sort_order: z.enum(['asc', 'desc']).default('desc'),
    limit: queryInteger(page, page.default),
    offset: queryInteger({ min: 0, max: offset_max }, 0),
  })
  .transform((query): AdminAuditSearch => ({
    text: query.q ?? null,
    adminId: query.admin_user_id ?? null,
    targetType: query.target_type ?? null,
    targetId: query.target_id ?? null,
    access: query.access ?? null,
    order:
      query.q === undefined
        ? { by: 'created_at', direction: 'desc' }
        : { by: query.sort_by === 'relevance' ? 'relevance' : 'created_at', direction: query.sort_order },
    limit: query.limit,
    offset: query.offset,
  }))

const user = z
  .object({
    id: snowflakeOutput,
    username: z.string(),
    discriminator: z
      .string()
      .regex(/^\d{4}$/)
      .describe('Four digits, with leading zeros.'),
    global_name: z.string().nullable(),
  })
  .meta({ id: 'AdminUserSummary' })

const guild = z.object({ id: snowflakeOutput, name: z.string() }).meta({ id: 'AdminGuildSummary' })

const channel = z
  .object({
    id: snowflakeOutput,
    name: z.string(),
    type: z.int().describe(`The kind of the channel: ${valuesInWords(channelTypes)}`),
    guild_id: snowflakeOutput,
  })
  .meta({ id: 'AdminChannelSummary' })

export const adminAuditEntry = z
  .object({
    log_id: snowflakeOutput,
    admin_user_id: snowflakeOutput,
    admin_user: user.nullable(),
    target_type: z.string(),
    target_id: z.string(),
    target_user: user.nullable(),
    target_guild: guild.nullable(),
    target_channel: channel.nullable(),
    related_users: z.record(z.string(), user).describe('Accounts that the entry has to do with.'),
    related_guilds: z.record(z.string(), guild).describe('Guilds that the entry has to do with.'),
    related_channels: z.record(z.string(), channel).describe('Channels that the entry has to do with.'),
    action: z.string(),
    access: z.enum(['read', 'write']).describe('Entries of reads, or of changes; both if it is absent.'),
    audit_log_reason: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    created_at: timestampOutput,
  })
  .meta({ id: 'AdminAuditEntry' })

export const adminAuditPage = z
  .object({ logs: z.array(adminAuditEntry).readonly(), total: z.int().describe('How many there are on all pages.') })
  .meta({ id: 'AdminAuditPage' })
