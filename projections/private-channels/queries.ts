import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type {
  DirectChannelPage,
  PrivateChannel,
  PrivateChannelQueries,
} from '../../application/ports/queries/private-channel-queries.ts'
import { pairId, type AccountId } from '../../domain/ids/ids.ts'
import { compareSnowflakes } from '../../domain/ids/snowflake.ts'
import { accountIdColumn, channelIdColumn, countRow } from '../columns.ts'

/** A channel as JSON, with ids as text. */
const channelShape = z
  .object({
    id: channelIdColumn,
    kind: z.enum(['direct', 'group']),
    recipients: z.array(accountIdColumn),
    open_for: z.array(accountIdColumn),
    owner_id: accountIdColumn.nullable(),
    name: z.string().nullable(),
    icon: z.string().nullable(),
    nicks: z.record(z.string(), z.string()),
  })
  .transform(({ id, kind, recipients, open_for: openFor, owner_id: ownerId, name, icon, nicks }): PrivateChannel => ({
    id,
    kind,
    recipients: recipients.toSorted(compareSnowflakes),
    closedFor: recipients.filter((account) => !openFor.includes(account)),
    ownerId,
    name,
    icon,
    nicks,
  }))

/** The result of `privateChannelsList`. */
export const privateChannelsColumn = z.array(channelShape)

const existsRow = z.object({ found: z.boolean() }).transform(({ found: isFound }) => isFound)

const found = z.object({ channel: channelShape }).transform(({ channel }) => channel)

/** For private_channels.channels c. */
const channelAsJson = sql.fragment`
  json_build_object(
    'id', c.id::text,
    'kind', c.kind,
    'recipients', c.recipients::text[],
    'open_for', array(select p.account_id::text from private_channels.places p where p.channel_id = c.id),
    'owner_id', c.owner_id::text,
    'icon', c.icon,
    'name', (select n.name from private_channels.names n where n.channel_id = c.id),
    'nicks', coalesce(
      (select json_object_agg(k.account_id::text, k.nick) from private_channels.nicks k where k.channel_id = c.id),
      '{}'::json
    )
  )`

/** The open channels of the account in accounts.accounts a, newest first, as a JSON array `private_channels`. */
export const privateChannelsList = sql.fragment`
  select coalesce(json_agg(${channelAsJson} order by c.id desc), '[]') as private_channels
  from private_channels.places o join private_channels.channels c on c.id = o.channel_id
  where o.account_id = a.id`

/** Queries over the private channels read model. */
export function privateChannelQueries(database: Queries): PrivateChannelQueries {
  return {
    find: (channel) =>
      database.maybeOne(
        sql.type(found)`select ${channelAsJson} as channel from private_channels.channels c where c.id = ${channel}`,
      ),
    findMany: (channels) =>
      database.any(sql.type(found)`
        select ${channelAsJson} as channel from private_channels.channels c
        where c.id = any(${sql.array([...channels], 'int8')})`),
    between: (one, other) =>
      database.maybeOne(sql.type(found)`
        select ${channelAsJson} as channel from private_channels.channels c where c.pair = ${pairId(one, other)}`),
    openFor: (account) =>
      database.any(sql.type(found)`
        select ${channelAsJson} as channel
        from private_channels.places o join private_channels.channels c on c.id = o.channel_id
        where o.account_id = ${account} order by c.id desc`),
    directOf: (account, page) => database.any(directPage(account, page)),
    openCountOf: (account) =>
      database.one(sql.type(countRow)`
        select count(*)::int4 as count from private_channels.places where account_id = ${account}`),
    shareGroup: (one, other) =>
      database.one(sql.type(existsRow)`
        select exists (
          select from private_channels.places p
          join private_channels.places o on o.channel_id = p.channel_id and o.account_id = ${other}
          where p.account_id = ${one} and p.kind = 'group'
        ) as found`),
    groupCountOf: (account) =>
      database.one(sql.type(countRow)`
        select count(*)::int4 as count from private_channels.places where account_id = ${account} and kind = 'group'`),
  }
}

/** No channel has it: ids stay below 2^63 - 1. */
const lastId = '9223372036854775807'

/** Each side of a direct message has an index of its own. */
function directPage(account: AccountId, { before, after, limit }: DirectChannelPage) {
  const isBeyond = after === undefined ? sql.fragment`id < ${before ?? lastId}` : sql.fragment`id > ${after}`
  const order = after === undefined ? sql.fragment`id desc` : sql.fragment`id`
  return sql.type(found)`
    select ${channelAsJson} as channel
    from (
      (select id from private_channels.channels
        where kind = 'direct' and recipients[1] = ${account} and ${isBeyond} order by ${order} limit ${limit})
      union all
      (select id from private_channels.channels
        where kind = 'direct' and recipients[2] = ${account} and ${isBeyond} order by ${order} limit ${limit})
    ) page
    join private_channels.channels c using (id)
    order by ${order} limit ${limit}`
}
