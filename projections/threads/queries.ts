import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { ThreadQueries, ThreadSearch } from '../../application/ports/queries/thread-queries.ts'
import type { AccountId, ChannelId } from '../../domain/ids/ids.ts'
import { accountIdColumn, channelIdColumn, countRow } from '../columns.ts'
import { membershipColumns, membershipRow, threadColumns, threadRow } from './thread-rows.ts'

const idRow = z.object({ id: channelIdColumn }).transform(({ id }) => id)

const previewRow = z.object({ thread_id: channelIdColumn, accounts: z.array(accountIdColumn) })

const previewedMembers_max = 8

/** Queries over the threads read model. */
export function threadQueries(database: Queries): ThreadQueries {
  return { ...ofThreads(database), ...ofArchives(database), ...ofMembers(database), ...ofUpkeep(database) }
}

function ofThreads(
  database: Queries,
): Pick<
  ThreadQueries,
  'find' | 'findMany' | 'activeOf' | 'activeInGuildsOf' | 'activeJoinedBy' | 'countActive' | 'idsUnder'
> {
  return {
    find: (thread) =>
      database.maybeOne(sql.type(threadRow)`select ${threadColumns} from threads.threads t where t.id = ${thread}`),
    findMany: async (threads) =>
      threads.length === 0
        ? []
        : database.any(sql.type(threadRow)`
            select ${threadColumns} from threads.threads t where t.id = any(${sql.array(threads, 'int8')})`),
    activeOf: (guild) =>
      database.any(sql.type(threadRow)`
        select ${threadColumns} from threads.threads t where t.guild_id = ${guild} and not t.archived order by t.id`),
    activeInGuildsOf: (account) =>
      database.any(sql.type(threadRow)`
        select ${threadColumns} from members.members g join threads.threads t on t.guild_id = g.guild_id
        where g.account_id = ${account} and not t.archived order by t.id`),
    activeJoinedBy: (account) =>
      database.any(sql.type(threadRow)`
        select ${threadColumns} from threads.members m join threads.threads t on t.id = m.thread_id
        where m.account_id = ${account} and not t.archived order by t.id`),
    countActive: (guild) =>
      database.one(sql.type(countRow)`
        select count(*)::int4 as count from threads.threads where guild_id = ${guild} and not archived`),
    idsUnder: (parent) =>
      'parentId' in parent
        ? database.any(sql.type(idRow)`select id from threads.threads where parent_id = ${parent.parentId} order by id`)
        : database.any(sql.type(idRow)`select id from threads.threads where guild_id = ${parent.guildId} order by id`),
  }
}

function ofArchives(database: Queries): Pick<ThreadQueries, 'archivedOf' | 'ownArchivedOf' | 'search'> {
  return {
    archivedOf: (parent, { types, before, limit }) =>
      database.any(sql.type(threadRow)`
        select ${threadColumns} from threads.threads t
        where t.parent_id = ${parent} and t.archived and t.type = any(${sql.array(types, 'int2')})
          and (${before ?? null}::timestamptz is null or t.archived_at < ${before ?? null}::timestamptz)
        order by t.archived_at desc, t.id desc limit ${limit + 1}`),
    ownArchivedOf: (parent, account, { before, limit }) =>
      database.any(sql.type(threadRow)`
        select ${threadColumns} from threads.threads t
        join threads.members m on m.thread_id = t.id and m.account_id = ${account}
        where t.parent_id = ${parent} and t.archived and t.type = 12
          and (${before ?? null}::int8 is null or t.id < ${before ?? null}::int8)
        order by t.id desc limit ${limit + 1}`),
    search: async (parent, search) => {
      const matches = matching(parent, search)
      const [found, total] = await Promise.all([
        database.any(sql.type(threadRow)`
          select ${threadColumns} from threads.threads t where ${matches}
          order by ${search.oldestFirst ? sql.fragment`t.id` : sql.fragment`t.id desc`}
          limit ${search.limit} offset ${search.offset}`),
        database.one(sql.type(countRow)`select count(*)::int4 as count from threads.threads t where ${matches}`),
      ])
      return { found, total }
    },
  }
}

function matching(parent: ChannelId, { name, archived, viewer, seesAllPrivate }: ThreadSearch) {
  return sql.fragment`
    t.parent_id = ${parent}
    and (${name}::text is null or strpos(lower(t.name), lower(${name}::text)) > 0)
    and (${archived}::boolean is null or t.archived = ${archived}::boolean)
    and (t.type <> 12 or ${seesAllPrivate} or exists (
      select from threads.members m where m.thread_id = t.id and m.account_id = ${viewer}))`
}

function ofMembers(
  database: Queries,
): Pick<ThreadQueries, 'membership' | 'membershipsOf' | 'members' | 'memberPreviews' | 'joinedIn'> {
  return {
    membership: (thread, account) =>
      database.maybeOne(sql.type(membershipRow)`
        select ${membershipColumns} from threads.members m where m.thread_id = ${thread} and m.account_id = ${account}`),
    membershipsOf: async (account, threads) =>
      threads.length === 0
        ? []
        : database.any(sql.type(membershipRow)`
            select ${membershipColumns} from threads.members m
            where m.account_id = ${account} and m.thread_id = any(${sql.array(threads, 'int8')})`),
    members: (thread, { after, limit }) =>
      database.any(sql.type(membershipRow)`
        select ${membershipColumns} from threads.members m
        where m.thread_id = ${thread} and (${after ?? null}::int8 is null or m.account_id > ${after ?? null}::int8)
        order by m.account_id limit ${limit}`),
    memberPreviews: async (threads) => {
      if (threads.length === 0) return new Map()
      const rows = await database.any(sql.type(previewRow)`
        select t.id as thread_id, array(
          select m.account_id from threads.members m where m.thread_id = t.id
          order by m.added_position limit ${previewedMembers_max}
        ) as accounts
        from threads.threads t where t.id = any(${sql.array(threads, 'int8')})`)
      return new Map<ChannelId, readonly AccountId[]>(rows.map(({ thread_id, accounts }) => [thread_id, accounts]))
    },
    joinedIn: (guild, account, before) =>
      database.any(sql.type(membershipRow)`
        select ${membershipColumns} from threads.members m
        where m.guild_id = ${guild} and m.account_id = ${account} and m.added_position < ${before.toString()}::int8
        order by m.thread_id`),
  }
}

function ofUpkeep(database: Queries): Pick<ThreadQueries, 'perhapsIdle'> {
  return {
    perhapsIdle: (now, { after, limit }) =>
      database.any(sql.type(threadRow)`
        select ${threadColumns} from threads.threads t
        where not t.archived and t.archived_at + make_interval(mins => t.auto_archive_duration) <= ${now}::timestamptz
          and t.id > ${after ?? '0'}::int8
        order by t.id limit ${limit}`),
  }
}
