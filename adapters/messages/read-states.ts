import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import type { Acknowledged, Acknowledgement, ReadState, ReadStates, Stay } from '../../application/ports/read-states.ts'
import { privateChannelTypes } from '../../application/access/private-channel-access.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { AccountId, ChannelId, GuildId, MessageId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { bigints } from './message-rows.ts'
import { staysAsRows } from './recent-mentions.ts'
import type { Notices } from './tell.ts'

/** Of the mentions of one target in one channel, so many count. */
const countedMentions_max = 10_000
const removedRows_max = 1000
/** How long a read state stays after its last move where the account no longer sees the channel. */
const leftLife_days = 30

const nothing = z.object({})
const idRow = z.object({ id: z.string() })

interface AcknowledgedColumns {
  readonly last_message_id: MessageId
  readonly mention_count: number
  readonly last_pin_at: Timestamp | null
  readonly has_moved: boolean
}

const acknowledgedRow = rowOf((row: AcknowledgedColumns): Acknowledged => ({
  lastMessageId: row.last_message_id,
  mentionCount: row.mention_count,
  lastPinAt: row.last_pin_at,
  hasMoved: row.has_moved,
}))

interface StateColumns {
  readonly channel_id: ChannelId
  readonly last_message_id: MessageId | null
  readonly mention_count: number | null
  readonly last_pin_at: Timestamp | null
  readonly later_count: number | null
  readonly guild_id: GuildId | null
  readonly parent_id: ChannelId | null
  readonly is_private: boolean | null
  readonly is_old: boolean | null
}

const stateRow = rowOf((row: StateColumns): ReadState => ({
  channelId: row.channel_id,
  lastMessageId: row.last_message_id,
  mentionCount: row.mention_count ?? 0,
  lastPinAt: row.last_pin_at,
  isOld: row.is_old === true,
  later:
    row.later_count === null
      ? undefined
      : {
          count: row.later_count,
          guildId: row.guild_id,
          parentId: row.parent_id,
          isPrivate: row.is_private === true,
        },
}))

/** `messages.acknowledge_in_sight` has what becomes of an acknowledgement. */
export function readStates(database: Queries, notices: Notices, announce: () => void): ReadStates {
  const held = notices.after(sql.fragment`0`)
  return {
    async acknowledge(account, acknowledgements, { together, begins }) {
      const entries = JSON.stringify(acknowledgements.map(asJson))
      const inSight = begins ? bigints(begins.inSight) : sql.fragment`null`
      const found = await database.any(sql.type(acknowledgedRow)`
        select * from messages.acknowledge_in_sight(
          ${account}::int8, ${together}, ${held}, ${entries}::jsonb, ${inSight}, ${begins?.states_max ?? null}::int8)`)
      if (found.some(({ hasMoved }) => hasMoved)) announce()
      return found.length < acknowledgements.length ? undefined : found
    },
    async tell(account, stayed) {
      if (stayed.length === 0) return
      const entries = stayed.map((entry) => ({ ...asJson(entry), together: entry.together }))
      await database.any(sql.type(nothing)`
        insert into messages.notices (kind, channel_id, channel_type, recipients, after, message_ids, detail)
        select 'acknowledged', (e.value ->> 'channel_id')::int8, ${privateChannelTypes.notes}, array[${account}::int8], ${held},
          array[(e.value ->> 'message_id')::int8],
          jsonb_build_object('mention_count', e.value -> 'mention_count')
            || case when (e.value ->> 'together')::boolean then '{}' else jsonb_build_object('manual', e.value -> 'manual') end
        from jsonb_array_elements(${JSON.stringify(entries)}::jsonb) with ordinality e order by e.ordinality`)
      announce()
    },
    async acknowledgePins(account, channel, states_max) {
      const told = await database.any(sql.type(idRow)`
        with seen as (
          insert into messages.read_states as r (account_id, channel_id, last_pin_at)
          select ${account}::int8, channel_id, pinned_at from messages.last_pins where channel_id = ${channel}
          on conflict (account_id, channel_id) do update set last_pin_at = excluded.last_pin_at
          returning r.last_pin_at
        )
        insert into messages.notices (kind, channel_id, channel_type, recipients, after, message_ids, detail)
        select 'pins_acknowledged', ${channel}::int8, ${privateChannelTypes.notes}, array[${account}::int8], ${held}, '{}',
          jsonb_build_object('at_ms', round(extract(epoch from last_pin_at) * 1000)::int8) from seen
        returning number as id`)
      if (told.length === 0) return
      announce()
      await trim(database, account, channel, states_max)
    },
    of: (account, stays) => database.any(statesOf(account, stays)),
    ...clearing(database),
  }
}

/** What ends read states, and begins those in which nothing is read. */
function clearing(database: Queries): Pick<ReadStates, 'clear' | 'beginCleared' | 'forgetLeft' | 'removeAllOf'> {
  return {
    async clear(account, channel) {
      const cleared = await database.any(sql.type(idRow)`
        update messages.read_states set last_message_id = null, mention_count = 0, last_pin_at = null,
          counted_from = clock_timestamp()
        where account_id = ${account} and channel_id = ${channel} returning channel_id as id`)
      return cleared.length > 0
    },
    async beginCleared(account, channel, states_max) {
      await database.any(sql.type(nothing)`
        insert into messages.read_states (account_id, channel_id, counted_from)
        values (${account}, ${channel}, clock_timestamp()) on conflict do nothing`)
      await trim(database, account, channel, states_max)
    },
    async forgetLeft(account, channels) {
      await database.any(sql.type(nothing)`
        delete from messages.read_states r using (
          select channel_id from messages.read_states
          where account_id = ${account} and channel_id = any(${bigints(channels)})
            and greatest(counted_from, last_pin_at) < now() - make_interval(days => ${leftLife_days})
          order by channel_id for update
        ) doomed
        where r.account_id = ${account} and r.channel_id = doomed.channel_id`)
    },
    async removeAllOf(account) {
      await database.any(sql.type(nothing)`delete from messages.read_states where account_id = ${account}`)
      await database.any(sql.type(nothing)`delete from messages.mentions where target_id = ${account}`)
    },
  }
}

/** Removes what an account has too many of. The read state of one channel stays. */
async function trim(database: Queries, account: AccountId, kept: ChannelId, states_max: number): Promise<void> {
  await database.any(sql.type(nothing)`
    select from messages.trim_read_states(${account}::int8, ${states_max}::int8, array[${kept}::int8])`)
}

/** Ids as text: JSON numbers can't hold them. */
function asJson({ channelId, messageId, mentionCount, isManual }: Acknowledgement) {
  return { channel_id: channelId, message_id: messageId, mention_count: mentionCount, manual: isManual }
}

/**
 * Each channel in which one of the targets was ever mentioned is one step in the index of mentions. What came there since the
 * account read the channel, and since it joined the guild, is counted in the same index: no message is read.
 */
export function statesOf(account: AccountId, stays: readonly Stay[]) {
  const targets = [account, ...stays.flatMap(({ guildId, roles }) => [guildId, ...roles])]
  return sql.type(stateRow)`
    with recursive stays as (
      ${staysAsRows(stays)}
    ), places as (
      select t.target_id, first.channel_id from unnest(${bigints(targets)}) as t (target_id), lateral (
        select m.channel_id from messages.mentions m where m.target_id = t.target_id order by m.channel_id limit 1) first
      union all
      select p.target_id, next.channel_id from places p, lateral (
        select m.channel_id from messages.mentions m
        where m.target_id = p.target_id and m.channel_id > p.channel_id order by m.channel_id limit 1) next
    ), later as (
      select m.channel_id, count(distinct m.message_id)::int4 as later_count, max(m.guild_id) as guild_id,
        max(m.parent_id) as parent_id, bool_or(m.is_private) as is_private
      from places p
      left join messages.read_states r on r.account_id = ${account} and r.channel_id = p.channel_id
      cross join lateral (
        select * from messages.mentions m
        where m.target_id = p.target_id and m.channel_id = p.channel_id
          and m.arrived_at > coalesce(r.counted_from, '-infinity') and m.author_id <> ${account}
        order by m.arrived_at desc limit ${countedMentions_max}
      ) m
      left join stays s on s.guild_id = m.guild_id
      where m.guild_id is null or m.arrived_at > s.joined_at
      group by m.channel_id
    )
    select channel_id, r.last_message_id, r.mention_count, r.last_pin_at, l.later_count, l.guild_id, l.parent_id, l.is_private,
      greatest(r.counted_from, r.last_pin_at) < now() - make_interval(days => ${leftLife_days}) as is_old
    from (select * from messages.read_states where account_id = ${account}) r full join later l using (channel_id)
    where r.last_message_id is not null or r.last_pin_at is not null or l.later_count is not null
    order by channel_id`
}

/** Removes what accounts have read of channels that are removed. */
export async function removeReadStates(database: Queries, channels: readonly ChannelId[]): Promise<void> {
  for (let removed = removedRows_max; removed === removedRows_max;) {
    const gone = await database.any(sql.type(idRow)`
      delete from messages.read_states r using (
        select account_id, channel_id from messages.read_states where channel_id = any(${bigints(channels)})
        order by account_id, channel_id limit ${removedRows_max} for update
      ) doomed
      where r.account_id = doomed.account_id and r.channel_id = doomed.channel_id
      returning r.account_id as id`)
    removed = gone.length
  }
}
