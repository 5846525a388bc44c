import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { AccountId, GuildId, RoleId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { Membership, MemberTexts } from '../../domain/membership/state.ts'

/**
 * The result of `memberColumns`, and the guild's id. The names differ from those of account columns, which may be selected beside
 * them.
 */
export interface MemberColumns {
  readonly guild_id: GuildId
  readonly member_id: AccountId
  readonly joined_at: Timestamp
  readonly temporary: boolean
  readonly member_roles: readonly RoleId[]
  readonly mute: boolean
  readonly deaf: boolean
  readonly communication_disabled_until: Timestamp | null
  readonly member_avatar: string | null
  readonly member_banner: string | null
  readonly member_accent_color: number | null
  readonly profile_flags: number
  readonly member_mention_flags: number
  readonly member_texts: MemberTexts | null
}

/** Reads the result of `memberColumns`, and the guild's id. */
export const memberRow = rowOf(memberOf)

/** Leaves out deleted roles: a deletion does not change the members' rows. */
const existingRoles = sql.fragment`array(
  select held.id from unnest(m.roles) with ordinality as held (id, place)
  where exists (select from guilds.roles r where r.guild_id = m.guild_id and r.id = held.id) order by held.place)`

/** For members.members as m. */
export const memberColumns = sql.fragment`
  m.account_id as member_id, m.joined_at, m.temporary, ${existingRoles} as member_roles, m.mute, m.deaf,
  m.communication_disabled_until, m.avatar as member_avatar, m.banner as member_banner, m.accent_color as member_accent_color, m.profile_flags,
  m.mention_flags as member_mention_flags,
  (select json_build_object('nick', t.nick, 'bio', t.bio, 'pronouns', t.pronouns) from members.member_texts t
   where t.guild_id = m.guild_id and t.account_id = m.account_id) as member_texts`

/** For members.member_counts as n, in a left join. */
export const countColumn = sql.fragment`coalesce(n.member_count, 0) as member_count`

/** How many guilds an account is in. */
export const guildCount = (account: AccountId) => sql.fragment`(
  select count(*)::int4 from members.members own join guilds.guilds g on g.id = own.guild_id
  where own.account_id = ${account})`

const noTexts: MemberTexts = { nick: null, bio: null, pronouns: null }

/** The membership in a row. */
export function memberOf(row: MemberColumns): Membership {
  return {
    guildId: row.guild_id,
    accountId: row.member_id,
    joinedAt: row.joined_at,
    temporary: row.temporary,
    roles: row.member_roles,
    mute: row.mute,
    deaf: row.deaf,
    communicationDisabledUntil: row.communication_disabled_until,
    avatar: row.member_avatar,
    banner: row.member_banner,
    accentColor: row.member_accent_color,
    profileFlags: row.profile_flags,
    mentionFlags: row.member_mention_flags,
    ...(row.member_texts ?? noTexts),
  }
}
