import { memberObject } from '../../../application/wire-objects/communities/member-objects.js'
import type { AccountRecord } from '../../../application/ports/queries/account-queries.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import type { Membership } from '../../../domain/membership/state.js'
import { changesShownMember, type Known, type KnownEvent } from '../../events/known-event.js'
import { same, type Dispatch } from '../dispatch.js'
import { untold, type Telling } from '../telling.js'

/**
 * A member changed: GUILD_MEMBER_UPDATE to the guild, and to its own sessions even while passive (reference gateway 2.2 and 2.3).
 * It shows the current state; a member who has left meanwhile is skipped.
 */
export function memberChanged({ data }: Known<'MemberChanged' | 'MemberRolesChanged'>): Telling {
  const { guildId, accountId } = data
  return {
    accounts: [accountId],
    prepare: async ({ lookups, account }) => {
      const member = await lookups.ask(({ members }) => members.find(guildId, accountId))
      return ({ now }) => (member ? [memberUpdate(member, account(accountId), now)] : [])
    },
  }
}

/**
 * An account got another tag, display name or avatar: GUILD_MEMBER_UPDATE in every guild that it is in (contract part 3, Events).
 * Any other event leads to nothing here.
 */
export function shownMemberChanged(event: KnownEvent): Telling {
  if (!changesShownMember(event)) return untold
  const { accountId } = event.data
  return {
    accounts: [accountId],
    prepare: async ({ lookups, account, world }) => {
      const stays = await lookups.ask(({ members }) => members.ofAccount(accountId))
      const here = stays.filter(({ guildId }) => world.room(guildId) !== undefined)
      return ({ now }) => here.map((member) => memberUpdate(member, account(accountId), now))
    },
  }
}

function memberUpdate(member: Membership, account: AccountRecord, now: Timestamp): Dispatch {
  const { guildId } = member
  return {
    t: 'GUILD_MEMBER_UPDATE',
    guildId,
    audience: { kind: 'guild', about: account.id },
    body: same({ ...memberObject(member, account, now), guild_id: guildId }),
  }
}
