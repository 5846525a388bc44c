import { isWithin } from '../../../domain/admin/acls.ts'
import { shownTo } from '../../../domain/admin/personal-members.ts'
import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { usersOf } from '../../conversations/relationships/read-relationships.ts'
import type { MemberPage } from '../../ports/queries/member-queries.ts'
import type { Ports } from '../../ports.ts'
import {
  adminGuildBanObject,
  type AdminGuildBanObject,
} from '../../wire-objects/administration/admin-guild-ban-object.ts'
import { deletedAccount } from '../../wire-objects/identity/deleted-account.ts'
import { boundOf } from '../acls/acl-bound.ts'
import { refuseUnknownGuild } from './require-guild-there.ts'

/**
 * A page of a guild's bans in force, by account id. Reasons, which are personal, are null for a caller who may not see them.
 * Refuses with UNKNOWN_GUILD (rules/administration#guilds).
 */
export function listAdminGuildBans({ queries }: Pick<Ports, 'queries'>) {
  return async (caller: Caller, id: GuildId, page: MemberPage): Promise<readonly AdminGuildBanObject[]> => {
    await refuseUnknownGuild({ queries }, id)
    const bans = await queries.guildBans.ofGuild(id, caller.context.now, page)
    const ids = new Set(bans.flatMap(({ accountId, moderatorId }) => [accountId, moderatorId]))
    const accounts = await usersOf({ queries }, [...ids])
    const record = (account: AccountId) => accounts.get(account) ?? deletedAccount(account)
    const seesReasons = maySeeReasons(caller)
    return bans.map(({ accountId, moderatorId, ...ban }) =>
      adminGuildBanObject({ ...ban, reason: seesReasons ? ban.reason : null }, record(accountId), record(moderatorId)),
    )
  }
}

function maySeeReasons(caller: Caller): boolean {
  const to = shownTo('membership', 'reason')
  return to !== 'nobody' && isWithin(boundOf(caller), to)
}
