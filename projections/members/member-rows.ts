import { z } from 'zod'
import { sql } from '../../application/ports/database.js'
import type { Membership } from '../../domain/membership/state.js'
import { accountIdColumn, guildIdColumn, instantColumn, roleIdColumn } from '../columns.js'

const memberFields = {
  guild_id: guildIdColumn,
  member_id: accountIdColumn,
  joined_at: instantColumn,
  temporary: z.boolean(),
  member_roles: z.array(roleIdColumn),
}

/** What `memberColumns` selects, and the guild's id. */
export const memberShape = z.object(memberFields)

/** Reads what `memberColumns` selects, and the guild's id. */
export const memberRow = memberShape.transform(memberOf)

/** Of members.members as m. */
export const memberColumns = sql.fragment`m.account_id as member_id, m.joined_at, m.temporary, m.roles as member_roles`

/** Of members.member_counts as n, joined from the left. */
export const countColumn = sql.fragment`coalesce(n.member_count, 0) as member_count`

/** The membership that a row tells of. */
export function memberOf(row: z.output<typeof memberShape>): Membership {
  return {
    guildId: row.guild_id,
    accountId: row.member_id,
    joinedAt: row.joined_at,
    temporary: row.temporary,
    roles: row.member_roles,
  }
}
