import { z } from 'zod'
import { sql, type Queries } from '../../application/ports/database.js'
import type { InviteQueries, InviteRecord } from '../../application/ports/queries/invite-queries.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'
import {
  accountIdColumn,
  channelIdColumn,
  countRow,
  guildIdColumn,
  instantColumn,
  inviteCodeColumn,
} from '../columns.js'

const inviteRow = z
  .object({
    code: inviteCodeColumn,
    guild_id: guildIdColumn,
    channel_id: channelIdColumn,
    inviter_id: accountIdColumn,
    uses: z.int(),
    max_uses: z.int(),
    max_age: z.int(),
    temporary: z.boolean(),
    created_at: instantColumn,
    expires_at: instantColumn.nullable(),
  })
  .transform((row): InviteRecord => ({
    code: row.code,
    guildId: row.guild_id,
    channelId: row.channel_id,
    inviterId: row.inviter_id,
    uses: row.uses,
    maxUses: row.max_uses,
    maxAge: row.max_age,
    temporary: row.temporary,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }))

/** Named one by one: a statement that is prepared already survives the swap to a table with another column. */
const inviteColumns = sql.fragment`
  code, guild_id, channel_id, inviter_id, uses, max_uses, max_age, temporary, created_at, expires_at`

/** Still admits somebody: the read side of `admits` in domain/invite/state.ts. */
const admitting = (now: Timestamp) =>
  sql.fragment`(expires_at is null or expires_at > ${now}) and (max_uses = 0 or uses < max_uses)`

/** The queries over the invites read model. */
export function inviteQueries(database: Queries): InviteQueries {
  return {
    find: (code, now) =>
      database.maybeOne(
        sql.type(inviteRow)`select ${inviteColumns} from invites.invites where code = ${code} and ${admitting(now)}`,
      ),
    ofChannel: (channel, now) =>
      database.any(sql.type(inviteRow)`
        select ${inviteColumns} from invites.invites where channel_id = ${channel} and ${admitting(now)} order by created_at desc, code`),
    ofGuild: (guild, now) =>
      database.any(sql.type(inviteRow)`
        select ${inviteColumns} from invites.invites where guild_id = ${guild} and ${admitting(now)} order by created_at desc, code`),
    countOf: (guild, now) =>
      database.one(sql.type(countRow)`
        select count(*)::int4 as count from invites.invites where guild_id = ${guild} and ${admitting(now)}`),
    equivalent: async ({ channelId, inviterId, maxUses, maxAge, temporary }, now) => {
      const [newest] = await database.any(sql.type(inviteRow)`
        select ${inviteColumns} from invites.invites
        where channel_id = ${channelId} and inviter_id = ${inviterId} and max_uses = ${maxUses} and max_age = ${maxAge}
          and temporary = ${temporary} and ${admitting(now)}
        order by created_at desc, code limit 1`)
      return newest
    },
  }
}
