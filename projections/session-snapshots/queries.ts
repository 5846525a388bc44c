import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { readRow } from '../../application/sql/read-row.ts'
import { rowOf } from '../../application/sql/row-of.ts'
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

/** What is the account's own. */
const ownRow = z
  .looseObject({
    position: z.coerce.bigint(),
    passkey_list: z.array(passkeyRow),
    chosen: chosenRow,
    guild_settings: z.array(guildSettingsRow),
    relationship_list: z.array(relationshipRow),
    private_channels: privateChannelsColumn,
  })
  .transform(
    ({
      position,
      passkey_list: passkeys,
      chosen: settings,
      guild_settings: guildSettings,
      relationship_list: relationships,
      private_channels: privateChannels,
      ...row
    }) => ({
      position,
      passkeys,
      settings,
      guildSettings,
      relationships,
      privateChannels,
      account: readRow(accountRow, row),
    }),
  )

interface GuildColumns {
  readonly guild_id: string | null
  readonly expression_list: Parameters<typeof expressionsIn>[0]
}

/** One of the account's guilds, if it has any. The first row has what is the account's own beside it. */
const snapshotRow = rowOf((row: GuildColumns) => ({
  row,
  guilds:
    row.guild_id === null
      ? []
      : [{ ...readRow(guildOfMemberRow, row), expressions: expressionsIn(row.expression_list) }],
}))

const isFirst = sql.fragment`row_number() over (order by m.joined_at desc, m.guild_id desc) = 1`

/**
 * The start state of Gateway sessions. A single statement sees a single moment: the rows, and the position they were written
 * with. A transaction with several statements could see the tables before or after a swap, but in both cases the rows from
 * before.
 */
export function sessionSnapshots(database: Queries): SessionSnapshots {
  return {
    async take(account) {
      const rows = await database.any(sql.type(snapshotRow)`
        select p.position,
          case when ${isFirst} then k.passkey_list end as passkey_list,
          case when ${isFirst} then ${chosenAsJson} end as chosen,
          case when ${isFirst} then l.guild_settings end as guild_settings,
          case when ${isFirst} then r.relationship_list end as relationship_list,
          case when ${isFirst} then d.private_channels end as private_channels,
          ${expressionsAsJson} as expression_list, ${accountColumns}, ${guildColumns}, ${memberColumns}, ${countColumn}
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
      return first && { ...readRow(ownRow, first.row), guilds: rows.flatMap(({ guilds }) => guilds) }
    },
  }
}
