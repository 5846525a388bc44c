import { z } from 'zod'
import { plannedForItsValues } from '../../application/sql/planned-for-its-values.ts'
import { sql } from '../../application/sql/sql.ts'
import type {
  AuthorType,
  Excluded,
  MessageSearch,
  MessageSearchQuery,
  Sought,
} from '../../application/ports/message-search.ts'
import { searchTerms } from '../../domain/messages/search-terms.ts'
import { msOf } from '../../domain/kernel/timestamp.ts'
import type { PostgresDatabase } from '../postgres/database.ts'
import { bigints, lowestIdAt, messageColumns, messageRow } from './message-rows.ts'

/** Matches beyond these are not counted: each costs a visit to its message. */
export const countedMatches_max = 10_000
/** With more messages outside the index than a worker takes at once, a search says that the index is being built. */
export const unindexed_max = 200
/** With more channels, the index is asked for the guild instead of each channel: each of them costs as much as a word. */
const channelTerms_max = 4
/** The same where there is no guild to ask for. */
const privateTerms_max = 50

const countsRow = z.object({ missing: z.int(), count: z.int() })

/**
 * Searches in the column `words`, whose index has words, places and all other exact terms (decision 217). First it counts: what
 * many messages have is then found faster by going through the newest messages of each place, and what few have by the index. Both
 * statements are planned for their values: a plan for any words would read all messages of a common one.
 */
export function searching(database: PostgresDatabase): MessageSearch {
  return {
    async search(query) {
      const wanted = indexQuery(query)
      const counted = sql.type(countsRow)`
        select ${wanted === undefined ? sql.fragment`0` : missingIn(query)} as missing, (
          select count(*)::int4 from (
            select from messages.messages m where ${conditions(query, wanted)} limit ${countedMatches_max}) found) as count`
      const { missing, count } = await database.one(plannedForItsValues(counted))
      if (missing > unindexed_max) return 'indexing'
      if (query.offset >= count) return { messages: [], total_count: count }
      const isWalked = count === countedMatches_max && query.sort === 'timestamp'
      const page = isWalked ? walk(query, wanted) : inIndex(query, wanted)
      const found = await database.any(plannedForItsValues(page))
      return { messages: found, total_count: count }
    },
  }
}

type Fragment = ReturnType<typeof sql.fragment>

function missingIn({ places }: MessageSearchQuery): Fragment {
  return sql.fragment`(
    select count(*)::int4 from (
      select from messages.messages m
      where m.words is null and m.channel_id = any(${bigints(places.map(({ channelId }) => channelId))})
      limit ${unindexed_max + 1}) missing)`
}

function inIndex(query: MessageSearchQuery, wanted: string | undefined) {
  return sql.type(messageRow)`
    select ${messageColumns} from messages.messages m where ${conditions(query, wanted)}
    order by ${orderOf(query, wanted)} limit ${query.limit} offset ${query.offset}`
}

/** Through each place from its end, until it has a page: the index would give all matches before the first. */
function walk(query: MessageSearchQuery, wanted: string | undefined) {
  const { places, limit, offset } = query
  const order = orderOf(query, wanted)
  return sql.type(messageRow)`
    select m.*
    from unnest(${bigints(places.map(({ channelId }) => channelId))}) as place (channel_id)
    cross join lateral (
      select ${messageColumns} from messages.messages m
      where m.channel_id = place.channel_id and (${conditions(query, wanted)}) is true
      order by ${order} limit ${offset + limit}) m
    order by ${order} limit ${limit} offset ${offset}`
}

/** Relevance is how many of the words a message has, in proportion to its length; ties by descending id. */
function orderOf({ sort, oldestFirst }: MessageSearchQuery, wanted: string | undefined): Fragment {
  if (sort === 'timestamp' || wanted === undefined) return oldestFirst ? sql.fragment`m.id` : sql.fragment`m.id desc`
  const rank = sql.fragment`ts_rank(m.words, ${wanted}::tsquery, 1)`
  return oldestFirst ? sql.fragment`${rank}, m.id desc` : sql.fragment`${rank} desc, m.id desc`
}

function conditions(query: MessageSearchQuery, wanted: string | undefined): Fragment {
  const { places, sought, excluded, excludedChannels, withoutTypes, mentionsEveryone, pinned, after, before } = query
  const limited = places.filter(({ from }) => from !== null)
  const all = [
    sql.fragment`m.channel_id = any(${bigints(places.map(({ channelId }) => channelId))})`,
    ...(wanted === undefined ? [] : [sql.fragment`m.words @@ ${wanted}::tsquery`]),
    ...(limited.length === 0 ? [] : [sinceCutoffs(limited)]),
    ...(excludedChannels.length === 0 ? [] : [sql.fragment`m.channel_id <> all(${bigints(excludedChannels)})`]),
    ...(withoutTypes.length === 0 ? [] : [sql.fragment`m.type <> all(${sql.array([...withoutTypes], 'int2')})`]),
    ...(sought.authors.length === 0 ? [] : [sql.fragment`m.author_id = any(${bigints(sought.authors)})`]),
    ...(excluded.authors.length === 0 ? [] : [sql.fragment`m.author_id <> all(${bigints(excluded.authors)})`]),
    ...(sought.authorTypes.length === 0 ? [] : [isByOneOf(sought.authorTypes)]),
    ...(excluded.authorTypes.length === 0 ? [] : [sql.fragment`not ${isByOneOf(excluded.authorTypes)}`]),
    ...(mentionsEveryone === null ? [] : [sql.fragment`m.mentions_everyone = ${mentionsEveryone}`]),
    ...(pinned === null ? [] : [sql.fragment`(m.pinned_at is not null) = ${pinned}`]),
    ...(after === null ? [] : [sql.fragment`m.id > ${after}`]),
    ...(before === null ? [] : [sql.fragment`m.id < ${before}`]),
    ...sought.phrases.map(hasPhrase),
  ]
  return sql.fragment`${sql.join(all, sql.fragment` and `)}`
}

/** Messages from before bots were told apart count as written by users. */
const areBy: Readonly<Record<AuthorType, Fragment>> = {
  user: sql.fragment`(m.webhook is null and m.by_bot is not true)`,
  bot: sql.fragment`(m.webhook is null and m.by_bot is true)`,
  webhook: sql.fragment`m.webhook is not null`,
}

function isByOneOf(types: readonly AuthorType[]): Fragment {
  return sql.fragment`(${sql.join(
    types.map((type) => areBy[type]),
    sql.fragment` or `,
  )})`
}

/** Ids from the cutoff on, in places that have one. */
function sinceCutoffs(limited: MessageSearchQuery['places']): Fragment {
  const channels = bigints(limited.map(({ channelId }) => channelId))
  const lows = bigints(limited.map(({ from }) => (from === null ? '0' : lowestIdAt(msOf(from)))))
  return sql.fragment`not exists (
    select from unnest(${channels}, ${lows}) as cut (channel_id, low) where cut.channel_id = m.channel_id and m.id < cut.low)`
}

/** Embeds and forwards are looked through as the JSON that they are. */
function hasPhrase(phrase: string): Fragment {
  const plainText = inOneCase(sql.fragment`${phrase}::text`)
  const asJson = inOneCase(sql.fragment`${JSON.stringify(phrase).slice(1, -1)}::text`)
  return sql.fragment`(strpos(${inOneCase(sql.fragment`m.content`)}, ${plainText}) > 0
    or strpos(${inOneCase(sql.fragment`m.embeds::text`)}, ${asJson}) > 0 and m.flags & 4 = 0
    or strpos(${inOneCase(sql.fragment`m.snapshots::text`)}, ${asJson}) > 0)`
}

/** By Postgres on both sides, whatever the locale of the database: JavaScript has other small letters for a few capitals. */
function inOneCase(text: Fragment): Fragment {
  return sql.fragment`lower(normalize(${text}, NFKC) collate "pg_c_utf8")`
}

/** The question to the index, in the language of Postgres; undefined where it has nothing to say. */
function indexQuery({ places, guildId, sought, excluded }: MessageSearchQuery): string | undefined {
  const wanted = [
    ...sought.words.map(lexeme),
    ...oneOf(sought.anyWords.map((words) => allOf(words.map(lexeme)))),
    ...sought.mentions.map((id) => lexeme(searchTerms.mention(id))),
    ...sought.has.map((kind) => lexeme(searchTerms.has(kind))),
    ...choicesOf(sought).flatMap((choice) => oneOf(choice.map(lexeme))),
  ]
  const unwanted = [
    ...excluded.mentions.map(searchTerms.mention),
    ...excluded.has.map(searchTerms.has),
    ...choicesOf(excluded).flat(),
  ].map((term) => `!${lexeme(term)}`)
  if (wanted.length + unwanted.length === 0) return undefined
  return allOf([...placesIn(places, guildId), ...wanted, ...unwanted])
}

function placesIn(places: MessageSearchQuery['places'], guildId: MessageSearchQuery['guildId']): readonly string[] {
  if (places.length <= channelTerms_max || (guildId === null && places.length <= privateTerms_max))
    return oneOf(places.map(({ channelId }) => lexeme(searchTerms.channel(channelId))))
  return guildId === null ? [] : [lexeme(searchTerms.guild(guildId))]
}

function choicesOf(sought: Sought | Excluded): readonly (readonly string[])[] {
  return [
    sought.embedTypes.map(searchTerms.embedType),
    sought.embedProviders.map(searchTerms.embedProvider),
    sought.linkHosts.map(searchTerms.linkHost),
    sought.filenames.map(searchTerms.filename),
    sought.extensions.map(searchTerms.extension),
  ]
}

const allOf = (parts: readonly string[]): string => `(${parts.join(' & ')})`
const oneOf = (parts: readonly string[]): readonly string[] => (parts.length === 0 ? [] : [`(${parts.join(' | ')})`])

/** Quoted, so that nothing in it is an operator. */
function lexeme(term: string): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
