import type { GuildEvent } from '../../domain/guild/events.js'
import type { AccountId, GuildId } from '../../domain/ids/ids.js'
import type { MembershipEvent } from '../../domain/membership/events.js'
import { rolesAtFirst } from '../../domain/membership/membership.js'
import { add, patch, projection, put, remove, removeWhere, type RowChange } from '../runner/projection.js'

interface MemberKey {
  readonly guildId: GuildId
  readonly accountId: AccountId
}

/** Who is in which guild, and how many are in each. */
export const membersProjection = projection<MembershipEvent | GuildEvent>({
  name: 'members',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { members: ['guild_id', 'account_id'], member_counts: ['guild_id'] },
  on: {
    MemberJoined: ({ data }) => [
      put('members', {
        ...keyOf(data),
        joined_at: data.joinedAt,
        temporary: data.temporary,
        roles: rolesAtFirst(data),
        admission: data.admission,
      }),
      counted(data, 1),
    ],
    MemberLeft: ({ data }) => [remove('members', keyOf(data)), counted(data, -1)],
    MemberBanned: ({ data }) => (data.wasMember ? [remove('members', keyOf(data)), counted(data, -1)] : []),
    MemberRolesChanged: ({ data }) => [patch('members', keyOf(data), { roles: data.roles })],
    GuildDeleted: ({ data }) => [
      removeWhere('members', { guild_id: data.guildId }),
      remove('member_counts', { guild_id: data.guildId }),
    ],
  },
})

const keyOf = ({ guildId, accountId }: MemberKey) => ({ guild_id: guildId, account_id: accountId })

const counted = ({ guildId }: MemberKey, by: 1 | -1): RowChange =>
  add('member_counts', { guild_id: guildId }, { member_count: by })
