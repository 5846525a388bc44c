import { memberObject } from '../../../application/wire-objects/communities/member-objects.js'
import type { Known } from '../../events/known-event.js'
import { same, type Dispatch, type Telling } from '../dispatch.js'

/**
 * A member changed: GUILD_MEMBER_UPDATE to the guild, and to its own sessions even while passive (reference gateway 2.2 and 2.3).
 * It shows the current state; a member who has left meanwhile is skipped.
 */
export function memberChanged({ data }: Known<'MemberChanged' | 'MemberRolesChanged'>): Telling {
  const { guildId, accountId } = data
  return {
    accounts: [accountId],
    memberOf: { guildId, accountId },
    dispatches: ({ member, account, now }) => {
      if (!member) return []
      const updated: Dispatch = {
        t: 'GUILD_MEMBER_UPDATE',
        guildId,
        audience: { kind: 'guild', about: accountId },
        body: same({ ...memberObject(member, account(accountId), now), guild_id: guildId }),
      }
      return [updated]
    },
  }
}
