import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { Messages } from '../../application/ports/messages.ts'
import { channelId, type ChannelId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { bigints } from './message-rows.ts'
import { removeReadStates } from './read-states.ts'

const removedRows_max = 1000
const channels_max = 1000
/**
 * Longer than any request lives: by then, every request that was allowed to write before the channel was removed has written.
 */
export const stragglers_ms = 120_000

const nothing = z.object({})
const foundRow = z.object({ found_count: z.coerce.number() })
const channelRow = z.object({ channel_id: z.string().transform((id) => channelId(snowflake(id))) })

/**
 * Removes whole channels. A message under way at that time would be written after the removal, into a channel that no longer
 * exists, where nobody could delete it. So the channel is recorded before it is cleared, and cleared once more when no such
 * message can be under way.
 */
export function removingChannels(database: Queries): Pick<Messages, 'removeChannels' | 'keepChannels'> {
  return {
    async removeChannels(channels) {
      await database.any(sql.type(nothing)`
        insert into messages.removed_channels (channel_id) select unnest(${bigints(channels)}) on conflict do nothing`)
      await clear(database, channels)
    },
    async keepChannels(channels) {
      await forget(database, channels)
    },
  }
}

/**
 * Deletes messages that were written into channels after their removal, and forgets channels that nobody writes to any more.
 */
export async function removeStragglers(database: Queries): Promise<void> {
  for (let found = channels_max; found === channels_max;) {
    const rows = await database.any(sql.type(channelRow)`
      select channel_id from messages.removed_channels
      where removed_at < clock_timestamp() - ${stragglers_ms} * interval '1 millisecond'
      order by removed_at limit ${channels_max}`)
    found = rows.length
    if (found === 0) return
    const channels = rows.map((row) => row.channel_id)
    await clear(database, channels)
    await forget(database, channels)
  }
}

async function forget(database: Queries, channels: readonly ChannelId[]): Promise<void> {
  await database.any(
    sql.type(nothing)`delete from messages.removed_channels where channel_id = any(${bigints(channels)})`,
  )
}

async function clear(database: Queries, channels: readonly ChannelId[]): Promise<void> {
  for (let found = removedRows_max; found === removedRows_max;) {
    const batch = await database.one(sql.type(foundRow)`
      with doomed as (
        select m.channel_id, m.id from messages.messages m where m.channel_id = any(${bigints(channels)})
        limit ${removedRows_max}
      ), deleted as (
        delete from messages.messages m using doomed d where m.channel_id = d.channel_id and m.id = d.id
      )
      select count(*) as found_count from doomed`)
    found = batch.found_count
  }
  await database.any(sql.type(nothing)`delete from messages.tallies where channel_id = any(${bigints(channels)})`)
  await database.any(sql.type(nothing)`delete from messages.last_pins where channel_id = any(${bigints(channels)})`)
  await removeReadStates(database, channels)
}
