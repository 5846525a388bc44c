import type { GuildId, InviteCode } from '../../../domain/ids/ids.ts'
import { usersOf } from '../../conversations/relationships/read-relationships.ts'
import type { WantedMembers } from '../../ports/queries/member-queries.ts'
import type { Ports } from '../../ports.ts'
import {
  adminGuildMemberObject,
  type AdminGuildMemberObject,
} from '../../wire-objects/administration/admin-guild-member-object.ts'
import { deletedAccount } from '../../wire-objects/identity/deleted-account.ts'
import { refuseUnknownGuild } from './require-guild-there.ts'

type Needs = Pick<Ports, 'queries'>

/** A page of members, by the beginning of their names and by the invite that admitted them. */
export interface MembersQuestion extends Omit<WantedMembers, 'invite'> {
  readonly invite?: InviteCode | undefined
}

/**
 * A page of a guild's members in ascending order of ids, each with how it was admitted. The code of the guild's custom invite URL
 * finds those who came by any custom one that the guild had. Refuses with UNKNOWN_GUILD (rules/administration#guilds).
 */
export function listAdminGuildMembers({ queries }: Needs) {
  return async (id: GuildId, question: MembersQuestion): Promise<readonly AdminGuildMemberObject[]> => {
    await refuseUnknownGuild({ queries }, id)
    const invite = await inviteIn({ queries }, id, question.invite)
    const admitted = await queries.members.wanted(id, { ...question, invite })
    const accounts = await usersOf(
      { queries },
      admitted.map(({ member }) => member.accountId),
    )
    return admitted.map((each) => {
      const { accountId } = each.member
      return adminGuildMemberObject(each, accounts.get(accountId) ?? deletedAccount(accountId))
    })
  }
}

async function inviteIn(
  { queries }: Needs,
  id: GuildId,
  code: InviteCode | undefined,
): Promise<InviteCode | 'custom' | undefined> {
  if (code === undefined) return undefined
  const custom = await queries.invites.customOf(id)
  return custom?.code === code.toLowerCase() ? 'custom' : code
}
