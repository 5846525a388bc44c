import { z } from 'zod'
import { sql } from '../../application/ports/database.js'
import type { Membership, MemberTexts } from '../../domain/membership/state.js'
import { accountIdColumn, guildIdColumn, instantColumn, roleIdColumn } from '../columns.js'

const memberFields = {
  guild_id: guildIdColumn,
  member_id: accountIdColumn,
  joined_at: instantColumn,
  temporary: z.boolean(),
  member_roles: z.array(roleIdColumn),
  mute: z.boolean(),
  deaf: z.boolean(),
  communication_disabled_until: instantColumn.nullable(),
  member_avatar: z.string().nullable(),
  member_banner: z.string().nullable(),
  member_accent_color: z.int().nullable(),
  profile_flags: z.int(),
  member_mention_flags: z.int(),
  member_texts: z.custom<MemberTexts | null>(isObjectOrNull),
}

function isObjectOrNull(value: unknown): boolean {
  return typeof value === 'object'
}

/** What `memberColumns` selects, and the guild's id; no name is one of a column of the account that it may stand beside. */
export const memberShape = z.object(memberFields)

/** Reads what `memberColumns` selects, and the guild's id. */
export const memberRow = memberShape.transform(memberOf)

/** Without the roles that the guild has not any more: a role that is deleted leaves no trace in its members' rows. */
const standingRoles = sql.fragment`array(
  select held.id from unnest(m.roles) with ordinality as held (id, place)
  where exists (select from guilds.roles r where r.guild_id = m.guild_id and r.id = held.id) order by held.place)`

/** Of members.members as m. */
export const memberColumns = sql.fragment`
  m.account_id as member_id, m.joined_at, m.temporary, ${standingRoles} as member_roles, m.mute, m.deaf,
  m.communication_disabled_until, m.avatar as member_avatar, m.banner as member_banner, m.accent_color as member_accent_color, m.profile_flags,
  m.mention_flags as member_mention_flags,
  (select json_build_object('nick', t.nick, 'bio', t.bio, 'pronouns', t.pronouns) from members.member_texts t
   where t.guild_id = m.guild_id and t.account_id = m.account_id) as member_texts`

/** Of members.member_counts as n, joined from the left. */
export const countColumn = sql.fragment`coalesce(n.member_count, 0) as member_count`

const noTexts: MemberTexts = { nick: null, bio: null, pronouns: null }

/** The membership that a row tells of. */
export function memberOf(row: z.output<typeof memberShape>): Membership {
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
