import type { Queries } from '../../application/ports/database.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type {
  EmojiOfGuild,
  ExpressionImage,
  ExpressionQueries,
  StickerOfGuild,
} from '../../application/ports/queries/expression-queries.ts'
import type { Emoji, Expressions, Sticker } from '../../domain/guild-expressions/state.ts'
import { emojiId, stickerId, type AccountId, type GuildId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'

interface ExpressionColumns {
  readonly id: string
  readonly kind: 'emoji' | 'sticker'
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly animated: boolean
  readonly image: string
  readonly creator_id: AccountId
}

const columns = sql.fragment`e.id, e.guild_id, e.kind, e.name, e.description, e.tags, e.animated, e.image, e.creator_id`

/** The expressions of the guild `g`, as JSON. `expressionsIn` reads it. */
export const expressionsAsJson = sql.fragment`
  coalesce((
    select json_agg(json_build_object('id', e.id::text, 'kind', e.kind, 'name', e.name, 'description', e.description,
      'tags', e.tags, 'animated', e.animated, 'image', e.image, 'creator_id', e.creator_id::text) order by e.id)
    from expressions.expressions e where e.guild_id = g.id and not e.deleted
  ), '[]')`

/** Reads the result of `expressionsAsJson`. */
export function expressionsIn(rows: readonly ExpressionColumns[]): Expressions {
  return {
    emojis: rows.filter(({ kind }) => kind === 'emoji').map(emojiOf),
    stickers: rows.filter(({ kind }) => kind === 'sticker').map(stickerOf),
  }
}

const expressionRow = rowOf((row: ExpressionColumns) => row)
const emojiRow = rowOf((row: ExpressionColumns & { readonly guild_id: GuildId }): EmojiOfGuild => ({
  ...emojiOf(row),
  guildId: row.guild_id,
}))
const stickerRow = rowOf((row: ExpressionColumns & { readonly guild_id: GuildId }): StickerOfGuild => ({
  ...stickerOf(row),
  guildId: row.guild_id,
}))
const imageRow = rowOf((row: { readonly guild_id: GuildId; readonly image: string }): ExpressionImage => ({
  guildId: row.guild_id,
  image: row.image,
}))

function emojiOf({ id, name, animated, image, creator_id: creatorId }: ExpressionColumns): Emoji {
  return { id: emojiId(snowflake(id)), name, animated, image, creatorId }
}

function stickerOf(row: ExpressionColumns): Sticker {
  const { id, name, description, tags, animated, image, creator_id: creatorId } = row
  return { id: stickerId(snowflake(id)), name, description, tags, animated, image, creatorId }
}

/** Queries for the emojis and stickers of guilds. */
export function expressionQueries(database: Queries): ExpressionQueries {
  return {
    ofGuild: async (guild) =>
      expressionsIn(
        await database.any(sql.type(expressionRow)`
          select ${columns} from expressions.expressions e where e.guild_id = ${guild} and not e.deleted order by e.id`),
      ),
    emojis: (ids) =>
      database.any(sql.type(emojiRow)`
        select ${columns} from expressions.expressions e
        where e.id = any(${sql.array([...ids], 'int8')}) and e.kind = 'emoji' and not e.deleted`),
    stickers: (ids) =>
      database.any(sql.type(stickerRow)`
        select ${columns} from expressions.expressions e
        where e.id = any(${sql.array([...ids], 'int8')}) and e.kind = 'sticker' and not e.deleted`),
    imageOf: (kind, id) =>
      database.maybeOne(sql.type(imageRow)`
        select e.guild_id, e.image from expressions.expressions e where e.id = ${id} and e.kind = ${kind}`),
  }
}
