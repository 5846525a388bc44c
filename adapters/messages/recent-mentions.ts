import { z } from 'zod'
import { privateChannelTypes } from '../../application/access/private-channel-access.ts'
import type { Queries } from '../../application/ports/database.ts'
import type { Stay } from '../../application/ports/read-states.ts'
import type { MentionPlace, RecentMentions } from '../../application/ports/recent-mentions.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { ChannelId, GuildId, MessageId } from '../../domain/ids/ids.ts'
import { snowflakeMax } from '../../domain/ids/snowflake.ts'
import { bigints } from './message-rows.ts'
import type { Notices } from './tell.ts'

const nothing = z.object({})
const idRow = z.object({ id: z.string() })

interface PlaceColumns {
  readonly channel_id: ChannelId
  readonly message_id: MessageId
  readonly guild_id: GuildId
}

const placeRow = rowOf((row: PlaceColumns): MentionPlace => ({
  channelId: row.channel_id,
  messageId: row.message_id,
  guildId: row.guild_id,
}))

/** Follows the index of mentions by target: each target gives its newest ones, and the newest of all of them count. */
export function recentMentions(database: Queries, notices: Notices, announce: () => void): RecentMentions {
  return {
    page({ account, stays, everyoneIn, roles, without, notBy }, { before, limit }) {
      const targets = [account, ...everyoneIn, ...roles]
      return database.any(sql.type(placeRow)`
        with stays as (${staysAsRows(stays)})
        select distinct found.channel_id, found.message_id, found.guild_id
        from unnest(${bigints(targets)}) as t (target_id), lateral (
          select m.channel_id, m.message_id, m.guild_id from messages.mentions m
          where m.target_id = t.target_id and m.message_id < ${before ?? snowflakeMax.toString()}::int8 and m.guild_id is not null
            and m.author_id <> ${account} and m.author_id <> all(${bigints(notBy)})
            and exists (select from stays s where s.guild_id = m.guild_id and m.arrived_at > s.joined_at)
            and not exists (
              select from messages.dismissed_mentions d where d.account_id = ${account} and d.message_id = m.message_id)
            and not exists (
              select from messages.mentions k where k.channel_id = m.channel_id and k.message_id = m.message_id
                and k.target_id = any(${bigints(without)}))
          order by m.message_id desc limit ${limit}
        ) found
        order by found.message_id desc limit ${limit}`)
    },
    async dismiss(account, stays, messages) {
      const targets = [account, ...stays.flatMap(({ guildId, roles }) => [guildId, ...roles])]
      const told = await database.any(sql.type(idRow)`
        with stays as (${staysAsRows(stays)}), dismissed as (
          insert into messages.dismissed_mentions (account_id, channel_id, message_id)
          select distinct ${account}::int8, m.channel_id, m.message_id
          from unnest(${bigints(targets)}) as t (target_id)
          join messages.mentions m on m.target_id = t.target_id and m.message_id = any(${bigints(messages)})
          join stays s on s.guild_id = m.guild_id and m.arrived_at > s.joined_at
          where m.author_id <> ${account}
          order by 3
          on conflict do nothing
          returning message_id
        )
        insert into messages.notices (kind, channel_id, channel_type, recipients, after, message_ids)
        select 'mention_removed', ${account}::int8, ${privateChannelTypes.notes}, array[${account}::int8],
          ${notices.after(sql.fragment`0`)}, array[message_id] from dismissed
        returning number as id`)
      if (told.length > 0) announce()
    },
    async removeAllOf(account) {
      await database.any(sql.type(nothing)`delete from messages.dismissed_mentions where account_id = ${account}`)
    },
  }
}

/** Rows of `guild_id` and `joined_at`. */
export function staysAsRows(stays: readonly Stay[]) {
  const joins = stays.map(({ joinedAt }) => joinedAt)
  return sql.fragment`
    select * from unnest(${bigints(stays.map(({ guildId }) => guildId))}, ${sql.array(joins, 'timestamptz')}) as s (guild_id, joined_at)`
}
