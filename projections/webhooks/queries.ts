import type { Queries } from '../../application/ports/database.ts'
import type { WebhookQueries, WebhookRecord } from '../../application/ports/queries/webhook-queries.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { AccountId, ChannelId, GuildId, WebhookId } from '../../domain/ids/ids.ts'
import type { WebhookKind } from '../../domain/webhook/events.ts'
import { countRow } from '../columns.ts'

interface WebhookColumns {
  readonly id: WebhookId
  readonly guild_id: GuildId
  readonly channel_id: ChannelId
  readonly name: string
  readonly avatar: string | null
  readonly creator_id: AccountId
  readonly kind: WebhookKind
  readonly token: string | null
  readonly source_guild_id: GuildId | null
  readonly source_channel_id: ChannelId | null
}

const webhookRow = rowOf((row: WebhookColumns): WebhookRecord => ({
  id: row.id,
  guildId: row.guild_id,
  channelId: row.channel_id,
  name: row.name,
  avatar: row.avatar,
  creatorId: row.creator_id,
  kind: row.kind,
  token: row.token,
  source:
    row.source_guild_id === null || row.source_channel_id === null
      ? null
      : { guildId: row.source_guild_id, channelId: row.source_channel_id },
}))

const webhookColumns = sql.fragment`
  w.id, w.guild_id, w.channel_id, w.name, w.avatar, w.creator_id, w.kind, w.token, w.source_guild_id, w.source_channel_id`

/** For webhooks.webhooks as w. Those of a deleted channel are left out. */
const ofChannels = sql.fragment`
  webhooks.webhooks w join guilds.channels c on c.guild_id = w.guild_id and c.id = w.channel_id`

/** Queries over the webhooks read model, joined with the guilds read model. */
export function webhookQueries(database: Queries): WebhookQueries {
  return {
    find: (webhook) =>
      database.maybeOne(sql.type(webhookRow)`select ${webhookColumns} from ${ofChannels} where w.id = ${webhook}`),
    ofChannel: (channel) =>
      database.any(sql.type(webhookRow)`
        select ${webhookColumns} from ${ofChannels} where w.channel_id = ${channel} order by w.id`),
    ofGuild: (guild) =>
      database.any(sql.type(webhookRow)`
        select ${webhookColumns} from ${ofChannels} where w.guild_id = ${guild} order by w.id`),
    countOfChannel: (channel) =>
      database.one(sql.type(countRow)`
        select count(*)::int4 as count from ${ofChannels} where w.channel_id = ${channel}`),
    countOfGuild: (guild) =>
      database.one(sql.type(countRow)`
        select count(*)::int4 as count from ${ofChannels} where w.guild_id = ${guild}`),
    following: (source) =>
      database.any(sql.type(webhookRow)`
        select ${webhookColumns} from ${ofChannels} where w.source_channel_id = ${source} order by w.id`),
    createdBy: (account) =>
      database.any(sql.type(webhookRow)`
        select ${webhookColumns} from ${ofChannels} where w.creator_id = ${account} order by w.id`),
    findMany: (webhooks) =>
      database.any(sql.type(webhookRow)`
        select ${webhookColumns} from ${ofChannels} where w.id = any(${sql.array([...webhooks], 'int8')})`),
  }
}
