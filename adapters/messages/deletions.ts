import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { Messages, UnrecordedDeletion } from '../../application/ports/messages.ts'
import { accountId, channelId, entryId, guildId, messageId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'

/**
 * Records, in the statement that deletes or pins, that the audit log has to tell of the rows that it changed. Nothing is recorded if
 * it changed none.
 */
export function keptUnrecorded(deletion: UnrecordedDeletion | undefined, changed = sql.fragment`deleted`) {
  if (!deletion) return sql.fragment``
  const { entryId: entry, guildId: guild, channelId: channel, messageId: message, count, deletedBy, at } = deletion
  const { commandId, correlationId, causationId, operation = null, reason, pins = null } = deletion
  return sql.fragment`, unrecorded as (
      insert into messages.unrecorded_deletions
        (entry_id, guild_id, channel_id, message_id, count, deleted_by, at, command_id, correlation_id, causation_id,
          operation, reason, pins)
      select ${entry}::int8, ${guild}::int8, ${channel}::int8, ${message}::int8, ${count}::int4, ${deletedBy}::int8,
        ${at}::timestamptz, ${commandId}::text, ${correlationId}::text, ${causationId}::text, ${operation}::text,
        ${reason}::text, ${pins}::boolean
      where exists (select from ${changed})
    )`
}

const id = z.string().transform(snowflake)

const deletionRow = z
  .object({
    entry_id: id,
    guild_id: id,
    channel_id: id,
    message_id: id.nullable(),
    count: z.int(),
    deleted_by: id,
    at: z.string(),
    command_id: z.string(),
    correlation_id: z.string(),
    causation_id: z.string(),
    operation: z.string().nullable(),
    reason: z.string().nullable(),
    pins: z.boolean().nullable(),
  })
  .transform((row): UnrecordedDeletion => ({
    entryId: entryId(row.entry_id),
    guildId: guildId(row.guild_id),
    channelId: channelId(row.channel_id),
    messageId: row.message_id === null ? null : messageId(row.message_id),
    count: row.count,
    deletedBy: accountId(row.deleted_by),
    at: timestamp(Date.parse(row.at)),
    commandId: row.command_id,
    correlationId: row.correlation_id,
    causationId: row.causation_id,
    operation: row.operation ?? undefined,
    reason: row.reason,
    ...(row.pins === null ? {} : { pins: row.pins }),
  }))

/** Keeps deletions until the audit log has recorded them. */
export function keepingDeletions(database: Queries): Pick<Messages, 'unrecordedDeletions' | 'noteRecorded'> {
  return {
    unrecordedDeletions: (before, count_max) =>
      database.any(sql.type(deletionRow)`
        select entry_id, guild_id, channel_id, message_id, count, deleted_by, at, command_id, correlation_id, causation_id,
          operation, reason, pins
        from messages.unrecorded_deletions where at < ${before}::timestamptz order by at, entry_id limit ${count_max}`),
    async noteRecorded(entry) {
      await database.any(
        sql.type(z.object({}))`delete from messages.unrecorded_deletions where entry_id = ${entry}::int8`,
      )
    },
  }
}
