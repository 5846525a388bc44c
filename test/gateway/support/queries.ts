import type { AllQueries } from '../../../application/ports.ts'
import type { MemberQueries } from '../../../application/ports/queries/member-queries.ts'
import { compareSnowflakes, snowflake } from '../../../domain/ids/snowflake.ts'
import { nameOf } from '../../../gateway/member-lists/entry.ts'
import type { ReadModels } from './read-models.ts'

/** The queries that the Gateway uses today. A telling that uses another one finds nothing here, and its sessions end. */
export function queriesOf(models: ReadModels): AllQueries {
  return {
    accounts: models.accountQueries,
    members: { ...models.memberQueries, roll: rollOf(models) },
    privateChannels: models.privateChannelQueries,
    auditLog: models.auditLogQueries,
    passkeys: models.passkeyQueries,
    userSettings: models.userSettingsQueries,
  } as AllQueries
}

function rollOf(models: ReadModels): MemberQueries['roll'] {
  return async (guild, { after = snowflake('0'), limit }) => {
    const members = [...models.members.values()].flatMap((member) => (member.status === 'member' ? [member] : []))
    const rows = members
      .filter(({ guildId, accountId }) => guildId === guild && compareSnowflakes(accountId, after) > 0)
      .toSorted((one, other) => compareSnowflakes(one.accountId, other.accountId))
      .slice(0, limit)
      .map(({ accountId, roles, nick }) => {
        const account = models.accounts.get(accountId)
        return { accountId, roles, nick, accountName: account ? nameOf(account) : '' }
      })
    await models.delay('roll')
    return rows
  }
}
