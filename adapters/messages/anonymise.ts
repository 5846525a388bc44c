import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { AnonymousAuthor, AuthorMessages } from '../../application/ports/author-messages.ts'
import { searchTerms } from '../../domain/messages/search-terms.ts'
import { messageTypes } from '../../domain/messages/message-types.ts'
import { accountId, type AccountId } from '../../domain/ids/ids.ts'
import type { Snowflake } from '../../domain/ids/snowflake.ts'
import { bigints } from './message-rows.ts'

/** How many messages get another author at a time. */
export const anonymised_count = 100

type Anonymising = Pick<
  AuthorMessages,
  | 'anonymousAuthorOf'
  | 'addSpareAuthors'
  | 'spareAuthorCount'
  | 'drawAnonymousAuthor'
  | 'anonymise'
  | 'anonymiseForwards'
  | 'anonymiseReplies'
  | 'forgetAnswered'
  | 'notePassedWithout'
  | 'notePassed'
  | 'forgetAnonymousAuthor'
>

/** How many messages of a channel are looked through at a time for replies. */
export const lookedThrough_count = 5000

interface AuthorRow {
  readonly author_id: Snowflake
  readonly passed_ms: number | null
}
const authorRow = rowOf(({ author_id, passed_ms }: AuthorRow): AnonymousAuthor => ({
  authorId: accountId(author_id),
  passed_ms,
}))
const spareRow = z.object({ count: z.int() })
const cursorRow = z.object({ channel_id: z.string(), message_id: z.string() })
const passedRow = z.object({ passed_ms: z.number() })
const pageRow = z.object({ found_count: z.coerce.number() })
const nothing = z.object({})

/** Gives the messages of erased accounts another author, and takes their files from them (rules/messages#erased-authors). */
export function anonymising(database: Queries): Anonymising {
  const anonymousAuthorOf: AuthorMessages['anonymousAuthorOf'] = async (erased) =>
    (await database.maybeOne(sql.type(authorRow)`
      select author_id, (extract(epoch from clock_timestamp() - passed_at) * 1000)::float8 as passed_ms
      from messages.anonymous_authors where account_id = ${erased}`)) ?? undefined
  return {
    anonymousAuthorOf,
    async addSpareAuthors(accounts) {
      await database.any(sql.type(nothing)`
        insert into messages.spare_authors (account_id) select unnest(${bigints(accounts)}) on conflict do nothing`)
    },
    async spareAuthorCount() {
      const { count } = await database.one(
        sql.type(spareRow)`select count(*)::int4 as count from messages.spare_authors`,
      )
      return count
    },
    async drawAnonymousAuthor(erased) {
      await database.any(sql.type(nothing)`
        with drawn as (
          select account_id from messages.spare_authors order by random() limit 1 for update skip locked
        ), taken as (
          delete from messages.spare_authors s using drawn d where s.account_id = d.account_id
            and not exists (select from messages.anonymous_authors where account_id = ${erased})
          returning s.account_id
        )
        insert into messages.anonymous_authors (account_id, author_id) select ${erased}, account_id from taken
        on conflict (account_id) do nothing`)
      return anonymousAuthorOf(erased)
    },
    async anonymise(author, anonymous) {
      const renamed = (text: ReturnType<typeof sql.fragment>) => sql.fragment`
        replace(replace(${text}, ${`<@${author}>`}, ${`<@${anonymous}>`}), ${`<@!${author}>`}, ${`<@!${anonymous}>`})`
      await database.any(sql.type(nothing)`
        with written as (
          select m.channel_id, m.id from messages.messages m where m.author_id = ${author}
          order by m.channel_id, m.id limit ${anonymised_count} for update
        ), left_files as (
          update messages.attachments a set message_id = null, due_at = clock_timestamp()
          from written w where a.channel_id = w.channel_id and a.message_id = w.id
        )${mentioningBy(anonymous)}
        update messages.messages m set
          author_id = ${anonymous}, attachments = null, mentions = array_replace(m.mentions, ${author}::int8, ${anonymous}::int8),
          content = ${renamed(sql.fragment`m.content`)}, embeds = ${renamed(sql.fragment`(${embedsWithoutFiles(sql.fragment`m.embeds`)})::text`)}::jsonb,
          snapshots = ${snapshotsWithoutFiles}
        from written w where m.channel_id = w.channel_id and m.id = w.id`)
    },
    anonymiseForwards: (author) => anonymiseForwards(database, author),
    anonymiseReplies: (erased, anonymous) => anonymiseReplies(database, erased, anonymous),
    forgetAnswered: (erased) => forgetAnswered(database, erased),
    ...notingPasses(database),
  }
}

/** How often what names an erased account was gone through. */
function notingPasses(
  database: Queries,
): Pick<Anonymising, 'notePassed' | 'notePassedWithout' | 'forgetAnonymousAuthor'> {
  return {
    async notePassed(erased) {
      await database.any(sql.type(nothing)`
        update messages.anonymous_authors set passed_at = clock_timestamp(), channel_id = null, message_id = null
        where account_id = ${erased} and passed_at is null`)
    },
    async notePassedWithout(erased) {
      const before = await database.maybeOne(sql.type(passedRow)`
        select (extract(epoch from clock_timestamp() - passed_at) * 1000)::float8 as passed_ms
        from messages.erased_without_messages where account_id = ${erased}`)
      if (before) return before.passed_ms
      await database.any(sql.type(nothing)`
        insert into messages.erased_without_messages (account_id) values (${erased}) on conflict do nothing`)
      return null
    },
    async forgetAnonymousAuthor(erased) {
      await database.any(sql.type(nothing)`delete from messages.erased_without_messages where account_id = ${erased}`)
      await database.any(sql.type(nothing)`delete from messages.anonymous_authors where account_id = ${erased}`)
    },
  }
}

/** A part of a statement: messages that are `written` mention by another author. */
const mentioningBy = (author: AccountId) => sql.fragment`, mentioning as (
    update messages.mentions n set author_id = ${author}
    from written w where n.channel_id = w.channel_id and n.message_id = w.id
  )`

/** What stands for the mention of an account that is gone. */
const nobody = '@DeletedUser'

type Fragment = ReturnType<typeof sql.fragment>

/** A list of embeds without the files that they show; those that then show nothing are left out. Null for none. */
const embedsWithoutFiles = (embeds: Fragment) => sql.fragment`
  select jsonb_agg(left_of.embed order by left_of.position)
  from (
    select e.ordinality as position, e.value
      - case when e.value #> '{image,attachment}' is null then '' else 'image' end
      - case when e.value #> '{thumbnail,attachment}' is null then '' else 'thumbnail' end as embed
    from jsonb_array_elements(${embeds}) with ordinality e
  ) left_of
  where left_of.embed - '{type,color,timestamp}'::text[] <> '{}'`

/** What a forward shows, without files; null for any other message. */
const snapshotsWithoutFiles = sql.fragment`
  (select jsonb_agg(
      s.value || jsonb_build_object(
        'attachments', '[]'::jsonb, 'embeds', coalesce((${embedsWithoutFiles(sql.fragment`s.value -> 'embeds'`)}), '[]'))
      order by s.ordinality)
    from jsonb_array_elements(m.snapshots) with ordinality s)`

/** The index of forwards by whose message they show leads to them. */
async function anonymiseForwards(database: Queries, author: AccountId): Promise<boolean> {
  const { found_count } = await database.one(sql.type(pageRow)`
    with forwarded as (
      select m.channel_id, m.id from messages.messages m
      where m.snapshots is not null and m.snapshots -> 0 ->> 'authorId' = ${author}
      order by m.channel_id, m.id limit ${anonymised_count} for update
    ), left_files as (
      update messages.attachments a set message_id = null, due_at = clock_timestamp()
      from forwarded f where a.channel_id = f.channel_id and a.message_id = f.id
    ), changed as (
      update messages.messages m set snapshots = jsonb_build_array(
        replace(replace(((${snapshotsWithoutFiles}) -> 0)::text, ${`<@${author}>`}, ${nobody}), ${`<@!${author}>`}, ${nobody})::jsonb
          - 'authorId'
          || jsonb_build_object('mentions', (m.snapshots #> '{0,mentions}') - ${author}::text))
      from forwarded f where m.channel_id = f.channel_id and m.id = f.id
    )
    select count(*) as found_count from forwarded`)
  return found_count > 0
}

/** Each statement records the position up to which everything is done, so several may take turns. */
async function anonymiseReplies(database: Queries, erased: AccountId, anonymous: AccountId): Promise<boolean> {
  const cursor = await database.maybeOne(sql.type(cursorRow)`
    select channel_id, message_id from messages.anonymous_authors
    where account_id = ${erased} and channel_id is not null`)
  if (cursor) {
    const { found_count } = await database.one(lookingThrough(erased, anonymous, cursor))
    if (found_count > 0) return true
  }
  const moved = await database.any(sql.type(pageRow)`
    with first as (
      select m.channel_id, m.id from messages.messages m
      where m.author_id = ${anonymous} and m.channel_id > ${cursor?.channel_id ?? '-1'} order by m.channel_id, m.id limit 1
    )
    update messages.anonymous_authors a set channel_id = first.channel_id, message_id = first.id
    from first where a.account_id = ${erased} returning 1 as found_count`)
  return moved.length > 0
}

/** Finds the replies by the index of words, which has whom messages mention. */
async function forgetAnswered(database: Queries, erased: AccountId): Promise<boolean> {
  const { found_count } = await database.one(sql.type(pageRow)`
    with replies as (
      select m.channel_id, m.id from messages.messages m
      where m.words @@ ${`'${searchTerms.mention(erased)}'`}::tsquery and m.type = ${messageTypes.reply}
        and ${erased}::int8 = any(m.mentions)
        and strpos(m.content, ${`<@${erased}>`}) = 0 and strpos(m.content, ${`<@!${erased}>`}) = 0
      order by m.channel_id, m.id limit ${anonymised_count} for update
    ), changed as (
      update messages.messages m set mentions = array_remove(m.mentions, ${erased}::int8)
      from replies r where m.channel_id = r.channel_id and m.id = r.id
    )
    select count(*) as found_count from replies`)
  return found_count > 0
}

/**
 * Replies mention the author of the message that they answer. A mention that the text of the reply names stays: the text is
 * somebody else's.
 */
function lookingThrough(erased: AccountId, anonymous: AccountId, cursor: z.output<typeof cursorRow>) {
  return sql.type(pageRow)`
    with page as (
      select m.id, m.type, m.content, m.mentions, m.reference from messages.messages m
      where m.channel_id = ${cursor.channel_id} and m.id > ${cursor.message_id} order by m.id limit ${lookedThrough_count}
    ), replies as (
      update messages.messages m set mentions = array_replace(m.mentions, ${erased}::int8, ${anonymous}::int8)
      from page p
      where m.channel_id = ${cursor.channel_id} and m.id = p.id and p.type = ${messageTypes.reply}
        and ${erased}::int8 = any(p.mentions)
        and strpos(p.content, ${`<@${erased}>`}) = 0 and strpos(p.content, ${`<@!${erased}>`}) = 0
        and exists (
          select from messages.messages answered
          where answered.channel_id = (p.reference ->> 'channelId')::int8
            and answered.id = (p.reference ->> 'messageId')::int8 and answered.author_id = ${anonymous})
    ), progressed as (
      update messages.anonymous_authors a set channel_id = ${cursor.channel_id}, message_id = last.id
      from (select max(id) as id from page) last where a.account_id = ${erased} and last.id is not null
    )
    select count(*) as found_count from page`
}
