import type { AccountEvent } from '../../domain/account/events.ts'
import type { GuildEvent } from '../../domain/guild/events.ts'
import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import type { MembershipEvent } from '../../domain/membership/events.ts'
import { memberAtFirst } from '../../domain/membership/membership.ts'
import { snakeCased } from '../../domain/text/letter-case.ts'
import { add, patch, projection, put, remove, removeWhere, type RowChange } from '../runner/projection.ts'

interface MemberKey {
  readonly guildId: GuildId
  readonly accountId: AccountId
}

/** The members of each guild, how they joined, and their number. */
export const membersProjection = projection<MembershipEvent | GuildEvent | AccountEvent>({
  name: 'members',
  answers: 'Memberships, what is said of members, how they came in, and member counts.',
  version: 5,
  tables: new URL('./tables.sql', import.meta.url),
  keys: {
    members: ['guild_id', 'account_id'],
    member_texts: ['guild_id', 'account_id'],
    member_counts: ['guild_id'],
  },
  on: {
    MemberJoined: ({ data }) => {
      const { roles, temporary, communicationDisabledUntil } = memberAtFirst(data)
      return [
        put('members', {
          ...keyOf(data),
          joined_at: data.joinedAt,
          temporary,
          roles,
          admission: data.admission,
          communication_disabled_until: communicationDisabledUntil,
        }),
        counted(data, 1),
      ]
    },
    MemberLeft: ({ data }) => gone(data),
    MemberKicked: ({ data }) => gone(data),
    MemberBanned: ({ data }) => (data.wasMember ? gone(data) : []),
    // Each fact has a column of the same name.
    MemberChanged: ({ data }) => [
      patch('members', keyOf(data), snakeCased(data.after)),
      ...(data.textsAfter === null ? [] : [put('member_texts', { ...keyOf(data), ...data.textsAfter })]),
    ],
    MemberRolesChanged: ({ data }) => [
      patch('members', keyOf(data), { roles: data.roles, ...(data.roles.length > 0 && { temporary: false }) }),
    ],
    OwnershipTransferred: ({ data }) => [
      patch('members', { guild_id: data.guildId, account_id: data.to }, { temporary: false }),
    ],
    GuildDeleted: ({ data }) => [
      removeWhere('members', { guild_id: data.guildId }),
      removeWhere('member_texts', { guild_id: data.guildId }),
      remove('member_counts', { guild_id: data.guildId }),
    ],
    AccountErasureStarted: ({ data }) => [removeWhere('member_texts', { account_id: data.accountId })],
  },
})

const keyOf = ({ guildId, accountId }: MemberKey) => ({ guild_id: guildId, account_id: accountId })

const counted = ({ guildId }: MemberKey, by: 1 | -1): RowChange =>
  add('member_counts', { guild_id: guildId }, { member_count: by })

const gone = (data: MemberKey): readonly RowChange[] => [
  remove('members', keyOf(data)),
  remove('member_texts', keyOf(data)),
  counted(data, -1),
]
