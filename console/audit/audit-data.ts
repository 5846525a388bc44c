import { call, type Input, type ReplyOf } from '../api/call.ts'
import { pageOf, withIds, type Resource } from '../lists/resource.ts'

/** An entry of the admin audit log. */
export type AuditEntry = ReplyOf<'listAdminAuditLogEntries'>['logs'][number]
/** An entry of a guild's audit log. */
export type GuildAuditEntry = ReplyOf<'listHistoryGuildAuditLogEntries'>[number]

/** The admin audit log by all filters of the API. */
export const adminAudit: Resource = {
  pagedBy: 'listAdminAuditLogEntries',
  list: async ({ filter, limit, offset }) => {
    const { logs, total } = await call('listAdminAuditLogEntries', { query: { ...filter, limit, offset } })
    return { data: withIds(logs, ({ log_id: id }) => id), total }
  },
}

/** How many entries of a guild the API gives at most at a time. */
const page_max = 100

/** The audit log of the guild that the filter names, the newest first; nothing where it names none. */
export const guildAudit: Resource = {
  list: async (asked) => {
    const { guild_id: guildId, ...filter } = asked.filter
    if (typeof guildId !== 'string' || guildId === '') return pageOf([], asked, false)
    const entries: GuildAuditEntry[] = []
    let before = asked.cursor ?? undefined
    let isMore = true
    while (isMore && entries.length < asked.limit) {
      const limit = Math.min(asked.limit - entries.length, page_max)
      const query = { ...filter, before, limit } as Input<'listHistoryGuildAuditLogEntries'>['query']
      const found = await call('listHistoryGuildAuditLogEntries', { path: { guild_id: guildId }, query })
      entries.push(...found)
      before = found.at(-1)?.id ?? before
      isMore = found.length === limit
    }
    asked.goesOnAt(before ?? null)
    return pageOf(
      withIds(entries, ({ id }) => id),
      asked,
      isMore,
    )
  },
}
