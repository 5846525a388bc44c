import { memberObject } from '../../../application/wire-objects/communities/member-objects.ts'
import type { Known, ShownChange } from '../../visibility/known-event.ts'
import type { AccountRecord } from '../../../application/ports/queries/account-queries.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Membership } from '../../../domain/membership/state.ts'
import { same, type Dispatch } from '../dispatch.ts'
import { preparing, type Telling } from '../telling.ts'

/**
 * A member changed: GUILD_MEMBER_UPDATE to the guild, and to its own sessions even while passive. It shows the current
 * state; a member who has left meanwhile is skipped.
 */
export function memberChanged({ data }: Known<'MemberChanged' | 'MemberRolesChanged'>): Telling {
  const { guildId, accountId } = data
  return preparing(['GUILD_MEMBER_UPDATE'], {
    accounts: [accountId],
    prepare: async ({ lookups, account }) => {
      const member = await lookups.ask(({ members }) => members.find(guildId, accountId))
      return ({ now }) => (member ? [memberUpdate(member, account(accountId), now)] : [])
    },
  })
}

/** An account looks different: GUILD_MEMBER_UPDATE in each of its guilds that has sessions here. */
export function shownAccountChanged({ data: { accountId } }: Pick<Known<ShownChange>, 'data'>): Telling {
  return preparing(['GUILD_MEMBER_UPDATE'], {
    accounts: [accountId],
    prepare: async ({ account, lookups, world }) => {
      const members = await lookups.ask((queries) => queries.members.ofAccount(accountId))
      const here = members.filter(({ guildId }) => world.room(guildId) !== undefined)
      return ({ now }) => here.map((member) => memberUpdate(member, account(accountId), now))
    },
  })
}

function memberUpdate(member: Membership, account: AccountRecord, now: Timestamp): Dispatch<'GUILD_MEMBER_UPDATE'> {
  const { guildId } = member
  return {
    t: 'GUILD_MEMBER_UPDATE',
    guildId,
    audience: { kind: 'guild', about: account.id },
    body: same({ ...memberObject(member, account, now), guild_id: guildId }),
  }
}
