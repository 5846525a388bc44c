import type { Queries } from '../../application/ports/database.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { Message, MessagePage, Messages } from '../../application/ports/messages.ts'
import type { MessageType } from '../../domain/messages/message-types.ts'
import type { ChannelId, MessageId } from '../../domain/ids/ids.ts'
import { msOf, type Timestamp } from '../../domain/kernel/timestamp.ts'
import type { ChannelLast } from '../../domain/messages/channel-last.ts'
import { bigints, lowestIdAt, messageColumns, messageRow, messageWithNonceRow } from './message-rows.ts'

type Reads = Pick<Messages, 'find' | 'findMany' | 'page' | 'lastOf'>

interface LastColumns {
  readonly channel_id: ChannelId
  readonly id: MessageId | null
  readonly pinned_at: Timestamp | null
}
const lastRow = rowOf(({ channel_id, id, pinned_at }: LastColumns): readonly [ChannelId, ChannelLast] => [
  channel_id,
  { messageId: id, pinnedAt: pinned_at },
])

export function reading(database: Queries): Reads {
  return {
    find: (channel, message) =>
      database.maybeOne(sql.type(messageRow)`
        select ${messageColumns} from messages.messages m where m.channel_id = ${channel} and m.id = ${message}`),
    async findMany(references) {
      if (references.length === 0) return []
      // With the limit, each is looked up by its key. Joined, all messages are read where Postgres has not counted them yet.
      return database.any(sql.type(messageWithNonceRow)`
        select m.*
        from unnest(
          ${bigints(references.map((reference) => reference.channelId))}, ${bigints(references.map((reference) => reference.messageId))}
        ) as wanted (channel_id, id)
        cross join lateral (
          select ${messageColumns}, m.nonce from messages.messages m
          where m.channel_id = wanted.channel_id and m.id = wanted.id limit 1
        ) m`)
    },
    page: (channel, page) => pageOf(database, channel, page),
    async lastOf(channels) {
      if (channels.length === 0) return new Map()
      const rows = await database.any(sql.type(lastRow)`
        select * from (
          select
            c.channel_id,
            (select m.id from messages.messages m where m.channel_id = c.channel_id order by m.id desc limit 1) as id,
            (select p.pinned_at from messages.last_pins p where p.channel_id = c.channel_id) as pinned_at
          from unnest(${bigints(channels)}) as c (channel_id)
        ) l
        where l.id is not null or l.pinned_at is not null`)
      return new Map(rows)
    },
  }
}

/**
 * `around` gives half of the page to newer messages, and the rest to the message itself and older ones. Near an edge of the
 * channel, one side fills what the other lacks.
 */
async function pageOf(
  database: Queries,
  channel: ChannelId,
  { before, after, around, from, without = [], limit }: MessagePage,
): Promise<readonly Message[]> {
  const low = from === undefined ? undefined : lowestIdAt(msOf(from))
  const shown = sql.fragment`${fromOn(low)} ${lacking(without)}`
  const older = (bound: ReturnType<typeof sql.fragment>, count: number) =>
    database.any(sql.type(messageRow)`
      select ${messageColumns} from messages.messages m
      where m.channel_id = ${channel} and ${bound} ${shown} order by m.id desc limit ${count}`)
  const newer = async (than: MessageId, count: number) =>
    (
      await database.any(sql.type(messageRow)`
        select ${messageColumns} from messages.messages m
        where m.channel_id = ${channel} and m.id > ${than} ${shown} order by m.id limit ${count}`)
    ).toReversed()
  if (around !== undefined) {
    const [above, below] = [await newer(around, limit), await older(sql.fragment`m.id <= ${around}`, limit)]
    const newer_count = Math.min(above.length, Math.max(Math.floor(limit / 2), limit - below.length))
    return [...above.slice(above.length - newer_count), ...below.slice(0, limit - newer_count)]
  }
  if (after !== undefined) return newer(after, limit)
  return older(before === undefined ? sql.fragment`true` : sql.fragment`m.id < ${before}`, limit)
}

const fromOn = (low: string | undefined) => (low === undefined ? sql.fragment`` : sql.fragment`and m.id >= ${low}`)

const lacking = (types: readonly MessageType[]) =>
  types.length === 0 ? sql.fragment`` : sql.fragment`and m.type <> all(${sql.array([...types], 'int2')})`
