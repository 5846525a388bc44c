import type { Piece, Queries } from '../../application/ports/database.ts'
import { plannedForItsValues } from '../../application/sql/planned-for-its-values.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type {
  AdmissionRecord,
  MemberName,
  MemberQueries,
  RolledMember,
  SharedGuild,
  WantedMembers,
} from '../../application/ports/queries/member-queries.ts'
import type { Admission } from '../../domain/membership/events.ts'
import type { AccountId, GuildId, InviteCode, RoleId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { countRow } from '../columns.ts'
import { likeText } from '../like-pattern.ts'
import { countColumn, guildCount, memberColumns, memberOf, memberRow, type MemberColumns } from './member-rows.ts'

const sharedGuildRow = rowOf(
  (row: { readonly guild_id: GuildId; readonly member_count: number; readonly nick: string | null }): SharedGuild => ({
    guildId: row.guild_id,
    nick: row.nick,
    memberCount: row.member_count,
  }),
)

const nameRow = rowOf((row: { readonly guild_id: GuildId; readonly account_id: AccountId }): MemberName => ({
  guildId: row.guild_id,
  accountId: row.account_id,
}))

const admissionRow = rowOf(
  (row: { readonly admission: Admission; readonly joined_at: Timestamp }): AdmissionRecord => ({
    admission: row.admission,
    admittedAt: row.joined_at,
  }),
)

const rolledRow = rowOf(
  (row: {
    readonly account_id: AccountId
    readonly roles: readonly RoleId[]
    readonly nick: string | null
    readonly account_name: string
  }): RolledMember => ({
    accountId: row.account_id,
    roles: row.roles,
    nick: row.nick,
    accountName: row.account_name,
  }),
)

const namesakesRow = rowOf(({ ids }: { readonly ids: readonly AccountId[] }) => ids)

/** All members, or those whose name begins with a text. In one row, since there may be many. */
function namesakes(guild: GuildId, text: string, limit: number) {
  if (text === '')
    return sql.type(namesakesRow)`
      select array(
        select m.account_id from members.members m join guilds.guilds g on g.id = m.guild_id
        where m.guild_id = ${guild} order by m.account_id limit ${limit}) as ids`
  const first = (isNamed: Piece) => sql.fragment`(
    select m.account_id from members.members m join guilds.guilds g on g.id = m.guild_id
    left join members.member_texts t on t.guild_id = m.guild_id and t.account_id = m.account_id
    join account_search.accounts s on s.id = m.account_id
    where m.guild_id = ${guild} and ${isNamed} order by m.account_id limit ${limit})`
  return plannedForItsValues(sql.type(namesakesRow)`
    select array(
      select n.account_id from (${sql.join(shownAs(text).map(first), sql.fragment` union all `)}) n
      order by n.account_id limit ${limit}) as ids`)
}

/**
 * The three ways in which a member is shown by a name that begins with a text, of which each member has one. Each is found by an
 * index of its own, or by reading the members in order until there are enough, whichever Postgres expects to be less.
 */
function shownAs(text: string): readonly Piece[] {
  const beginning = `${likeText(text.toLowerCase())}%`
  return [
    sql.fragment`lower(t.nick) like lower(${likeText(text)}) || '%'`,
    sql.fragment`t.nick is null and s.global_name like ${beginning}`,
    sql.fragment`t.nick is null and s.global_name is null and s.username like ${beginning}`,
  ]
}

const admittedRow = rowOf((row: MemberColumns & { readonly admission: Admission }) => ({
  member: memberOf(row),
  admission: row.admission,
}))

/** Planned for its values: a rare name is looked up first, and for a common one the members are read in order. */
function wantedStatement(guild: GuildId, { after, limit, name, invite }: WantedMembers) {
  const wanted = sql.fragment`
    m.guild_id = ${guild} and m.account_id > ${after ?? '0'}
    and ${invite === undefined ? sql.fragment`true` : isInvitedBy(invite)}`
  const first = (accounts: Piece) => sql.fragment`(
    select m.account_id from members.members m join (${accounts}) n on n.id = m.account_id
    where ${wanted} order by m.account_id limit ${limit})`
  const named =
    name === undefined
      ? sql.fragment`true`
      : sql.fragment`
    m.account_id in (${sql.join(accountsNamed(guild, name).map(first), sql.fragment` union `)})`
  return plannedForItsValues(sql.type(admittedRow)`
    select m.guild_id, ${memberColumns}, m.admission from members.members m join guilds.guilds g on g.id = m.guild_id
    where ${wanted} and ${named} order by m.account_id limit ${limit}`)
}

/** The accounts whose username, display name, or nickname in the guild begins with a text. */
function accountsNamed(guild: GuildId, text: string): readonly Piece[] {
  const beginning = `${likeText(text.toLowerCase())}%`
  return [
    sql.fragment`select s.id from account_search.accounts s where s.username like ${beginning}`,
    sql.fragment`select s.id from account_search.accounts s where s.global_name like ${beginning}`,
    sql.fragment`select t.account_id as id from members.member_texts t
      where t.guild_id = ${guild} and starts_with(lower(t.nick), lower(${text}))`,
  ]
}

const isInvitedBy = (invite: InviteCode | 'custom') =>
  invite === 'custom'
    ? sql.fragment`m.admission->>'by' = 'custom_invite'`
    : sql.fragment`m.admission->>'code' = ${invite}`

/** Queries over the members read model. They check that the guild exists: a deleted one has no members. */
export function memberQueries(database: Queries): MemberQueries {
  return {
    find: (guild, account) =>
      database.maybeOne(sql.type(memberRow)`
        select m.guild_id, ${memberColumns} from members.members m join guilds.guilds g on g.id = m.guild_id
        where m.guild_id = ${guild} and m.account_id = ${account}`),
    among: (guild, accounts) =>
      database.any(sql.type(memberRow)`
        select m.guild_id, ${memberColumns} from members.members m join guilds.guilds g on g.id = m.guild_id
        where m.guild_id = ${guild} and m.account_id = any(${sql.array([...accounts], 'int8')})`),
    amongGuilds: (guilds, accounts) =>
      database.any(sql.type(memberRow)`
        select m.guild_id, ${memberColumns} from members.members m join guilds.guilds g on g.id = m.guild_id
        where m.guild_id = any(${sql.array([...guilds], 'int8')})
          and m.account_id = any(${sql.array([...accounts], 'int8')})`),
    named: (guild, text, limit) => database.one(namesakes(guild, text, limit)),
    page: (guild, { after, limit }) =>
      database.any(sql.type(memberRow)`
        select m.guild_id, ${memberColumns} from members.members m join guilds.guilds g on g.id = m.guild_id
        where m.guild_id = ${guild} and m.account_id > ${after ?? '0'} order by m.account_id limit ${limit}`),
    roll: (guild, { after, limit }) =>
      database.any(sql.type(rolledRow)`
        select m.account_id, m.roles, t.nick, coalesce(a.global_name, a.username, '') as account_name
        from members.members m join guilds.guilds g on g.id = m.guild_id
        left join members.member_texts t on t.guild_id = m.guild_id and t.account_id = m.account_id
        left join accounts.accounts a on a.id = m.account_id
        where m.guild_id = ${guild} and m.account_id > ${after ?? '0'} order by m.account_id limit ${limit}`),
    wanted: (guild, wanted) => database.any(wantedStatement(guild, wanted)),
    temporary: (limit, after) =>
      database.any(sql.type(nameRow)`
        select m.guild_id, m.account_id from members.members m join guilds.guilds g on g.id = m.guild_id
        where m.temporary and (m.guild_id, m.account_id) > (${after?.guildId ?? '0'}::int8, ${after?.accountId ?? '0'}::int8)
        order by m.guild_id, m.account_id limit ${limit}`),
    admissionOf: async (guild, account) =>
      (await database.maybeOne(sql.type(admissionRow)`
        select m.admission, m.joined_at from members.members m join guilds.guilds g on g.id = m.guild_id
        where m.guild_id = ${guild} and m.account_id = ${account}`)) ?? undefined,
    countOf: async (guild) => {
      const count = await database.maybeOne(sql.type(countRow)`
        select n.member_count as count from members.member_counts n join guilds.guilds g on g.id = n.guild_id
        where n.guild_id = ${guild}`)
      return count ?? 0
    },
    guildCountOf: (account) => database.one(sql.type(countRow)`select ${guildCount(account)} as count`),
    ofAccount: (account) =>
      database.any(sql.type(memberRow)`
        select m.guild_id, ${memberColumns} from members.members m join guilds.guilds g on g.id = m.guild_id
        where m.account_id = ${account} order by m.joined_at desc, m.guild_id desc`),
    sharedGuilds: (one, other) =>
      database.any(sql.type(sharedGuildRow)`
        select m.guild_id, ${countColumn}, t.nick from members.members m
        join members.members o on o.guild_id = m.guild_id and o.account_id = ${other}
        join guilds.guilds g on g.id = m.guild_id
        left join members.member_counts n on n.guild_id = m.guild_id
        left join members.member_texts t on t.guild_id = o.guild_id and t.account_id = o.account_id
        where m.account_id = ${one} order by m.guild_id`),
  }
}
