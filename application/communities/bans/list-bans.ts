import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { requireGuild, requirePermission } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { deletedAccount } from '../../wire-objects/identity/deleted-account.ts'
import { partialUserObject, type PartialUserObject } from '../../wire-objects/identity/user-objects.ts'
import type { GuildBanRecord } from '../../ports/queries/guild-ban-queries.ts'
import type { Ports } from '../../ports.ts'

/** A ban as moderators see it: neither the address nor the network that it matches is shown. */
export interface BanObject {
  readonly user: PartialUserObject
  readonly reason: string | null
  readonly moderator_id: string
  readonly banned_at: Timestamp
  readonly expires_at: Timestamp | null
}

type Needs = Pick<Ports, 'queries'>

/** AccountQueries takes this many accounts in one query. */
const accountsPerQuery_max = 1000

/**
 * A guild's bans in force, by account id. Refuses with UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS,
 * TWO_FACTOR_REQUIRED. See rules/members#unban.
 */
export function listBans({ queries }: Needs) {
  return async (caller: Caller, guildId: GuildId): Promise<readonly BanObject[]> => {
    const access = await requireGuild({ queries }, caller, guildId)
    requirePermission(access, 'BAN_MEMBERS')
    const bans = await queries.guildBans.ofGuild(guildId, caller.context.now)
    const objects: BanObject[] = []
    for (let from = 0; from < bans.length; from += accountsPerQuery_max) {
      objects.push(...(await banObjects({ queries }, bans.slice(from, from + accountsPerQuery_max))))
    }
    return objects
  }
}

/** The ban of one account. Refuses as listing does, and with NOT_FOUND if it is not banned. See rules/members#unban. */
export function readBan({ queries }: Needs) {
  return async (caller: Caller, guildId: GuildId, accountId: AccountId): Promise<BanObject> => {
    const access = await requireGuild({ queries }, caller, guildId)
    requirePermission(access, 'BAN_MEMBERS')
    const ban = await queries.guildBans.find(guildId, accountId, caller.context.now)
    const [object] = await banObjects({ queries }, ban ? [ban] : [])
    return object ?? reject('NOT_FOUND')
  }
}

async function banObjects({ queries }: Needs, bans: readonly GuildBanRecord[]): Promise<readonly BanObject[]> {
  const accounts = await queries.accounts.findMany(bans.map(({ accountId }) => accountId))
  const byId = new Map(accounts.map((account) => [account.id, account]))
  return bans.map(({ accountId, reason, moderatorId, bannedAt, expiresAt }) => ({
    user: partialUserObject(byId.get(accountId) ?? deletedAccount(accountId)),
    reason,
    moderator_id: moderatorId,
    banned_at: bannedAt,
    expires_at: expiresAt,
  }))
}
