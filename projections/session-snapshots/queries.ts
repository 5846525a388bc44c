import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { readRow } from '../../application/sql/read-row.ts'
import { sql } from '../../application/sql/sql.ts'
import type { SessionSnapshots } from '../../application/ports/queries/session-snapshot.ts'
import { passkeyRow, passkeysAsJson } from '../accounts/passkey-queries.ts'
import { accountColumns, accountRow } from '../accounts/queries.ts'
import { expressionsAsJson, expressionsIn } from '../expressions/queries.ts'
import { guildColumns, guildOfMemberRow } from '../guilds/guild-rows.ts'
import { chosenAsJson, chosenRow, guildSettingsList, guildSettingsRow } from '../user-settings/queries.ts'
import { privateChannelsColumn, privateChannelsList } from '../private-channels/queries.ts'
import { relationshipRow, relationshipsList } from '../relationships/queries.ts'
import { countColumn, memberColumns } from '../members/member-rows.ts'

/** The account, and one of its guilds if it has any. */
const snapshotRow = z
  .looseObject({
    position: z.coerce.bigint(),
    passkey_list: z.array(passkeyRow),
    chosen: chosenRow,
    guild_settings: z.array(guildSettingsRow),
    relationship_list: z.array(relationshipRow),
    private_channels: privateChannelsColumn,
    guild_id: z.string().nullable(),
    expression_list: z.custom<Parameters<typeof expressionsIn>[0]>(Array.isArray),
  })
  .transform(
    ({
      position,
      passkey_list: passkeys,
      chosen: settings,
      guild_settings: guildSettings,
      relationship_list: relationships,
      private_channels: privateChannels,
      expression_list: expressions,
      ...row
    }) => ({
      position,
      passkeys,
      settings,
      guildSettings,
      relationships,
      privateChannels,
      account: readRow(accountRow, row),
      guilds:
        row.guild_id === null ? [] : [{ ...readRow(guildOfMemberRow, row), expressions: expressionsIn(expressions) }],
    }),
  )

/**
 * The start state of Gateway sessions. A single statement sees a single moment: the rows, and the position they were written
 * with. A transaction with several statements could see the tables before or after a swap, but in both cases the rows from
 * before.
 */
export function sessionSnapshots(database: Queries): SessionSnapshots {
  return {
    async take(account) {
      const rows = await database.any(sql.type(snapshotRow)`
        select p.position, k.passkey_list, ${chosenAsJson} as chosen, l.guild_settings, r.relationship_list, d.private_channels, ${expressionsAsJson} as expression_list, ${accountColumns}, ${guildColumns}, ${memberColumns}, ${countColumn}
        from accounts.accounts a
        cross join (
          select min(position) as position from read_models.checkpoints
          where schema in ('accounts', 'expressions', 'guilds', 'members', 'private_channels', 'relationships', 'user_settings')
        ) p
        join user_settings.user_settings u on u.account_id = a.id
        cross join lateral (${passkeysAsJson}) k
        cross join lateral (${guildSettingsList}) l
        cross join lateral (${relationshipsList}) r
        cross join lateral (${privateChannelsList}) d
        left join (members.members m join guilds.guilds g on g.id = m.guild_id) on m.account_id = a.id
        left join members.member_counts n on n.guild_id = g.id
        where a.id = ${account}
        order by m.joined_at desc, m.guild_id desc`)
      const [first] = rows
      return first && { ...first, guilds: rows.flatMap(({ guilds }) => guilds) }
    },
  }
}
