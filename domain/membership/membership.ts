import type { RoleId } from '../ids/ids.ts'
import { aggregate } from '../kernel/aggregate-definition.ts'
import type { Decision } from '../kernel/decider.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { MembershipCommand } from './commands.ts'
import { endTemporary, join, leave } from './decisions/admission.ts'
import { addRole, change, removeRole } from './decisions/changes.ts'
import { ban, kick, unban } from './decisions/removal.ts'
import { membershipEvents, type MemberBanned, type MemberJoined, type MembershipEvent } from './events.ts'
import { initialAttributes, type KeptTimeout, type Membership, type MembershipState } from './state.ts'

/** The relation of one account to one guild: not a member, a member with roles, or banned. */
export const membership = aggregate({
  category: 'membership',
  identifiedBy: 'guild id and account id',
  guards:
    'joining, leaving, kicks, bans, roles, member settings, and timeouts, which outlive the membership for a year',
  stateVersion: 3,
  events: membershipEvents,
  // Its id is <guild id>-<account id>.
  subjectOf: (id) => id.slice(id.lastIndexOf('-') + 1),
  initial: { status: 'absent' },
  decide,
  evolve,
})

function decide(state: MembershipState, command: MembershipCommand): Decision<MembershipEvent> {
  switch (command.type) {
    case 'JoinGuild':
      return join(state, command)
    case 'LeaveGuild':
      return leave(state, command)
    case 'EndTemporaryMembership':
      return endTemporary(state, command)
    case 'ChangeMember':
      return change(state, command)
    case 'AddMemberRole':
      return addRole(state, command)
    case 'RemoveMemberRole':
      return removeRole(state, command)
    case 'KickMember':
      return kick(state, command)
    case 'BanMember':
      return ban(state, command)
    case 'UnbanMember':
      return unban(state, command)
  }
}

function evolve(state: MembershipState, event: MembershipEvent): MembershipState {
  switch (event.type) {
    case 'MemberJoined':
      return { status: 'member', ...memberAtFirst(event.data) }
    case 'MemberLeft':
      return ended(state, event.data.leftAt)
    case 'MemberKicked':
      return ended(state, event.data.kickedAt)
    case 'MemberChanged': {
      const { after, textsAfter } = event.data
      return whileMember(state, (record) => ({ ...record, ...after, ...textsAfter }))
    }
    case 'MemberRolesChanged':
      return whileMember(state, (record) => ({ ...record, ...withRoles(record, event.data.roles) }))
    case 'MemberBanned':
      return { status: 'banned', ...banOf(event.data), ...keeping(state, event.data.bannedAt) }
    case 'MemberUnbanned':
      return state.status === 'banned' ? { status: 'absent', ...keeping(state) } : state
  }
}

/** The status after an event, for those that decide it: the others leave it as it is. */
export const membershipStatusAfter = {
  MemberJoined: 'member',
  MemberLeft: 'absent',
  MemberKicked: 'absent',
  MemberBanned: 'banned',
  MemberUnbanned: 'absent',
} as const satisfies Partial<Record<MembershipEvent['type'], MembershipState['status']>>

/** The membership of an account that has just joined: a bot has its own role, others have no roles besides the everyone role. */
export function memberAtFirst(joined: MemberJoined): Membership {
  const { guildId, accountId, joinedAt, temporary, communicationDisabledUntil = null } = joined
  const attributes = { ...initialAttributes, communicationDisabledUntil }
  return { guildId, accountId, joinedAt, ...withRoles({ temporary }, rolesAtFirst(joined)), ...attributes }
}

/** A role makes a membership permanent, whatever happens to the role later. */
export function withRoles(
  { temporary }: Pick<Membership, 'temporary'>,
  roles: readonly RoleId[],
): Pick<Membership, 'roles' | 'temporary'> {
  return { roles, temporary: temporary && roles.length === 0 }
}

function rolesAtFirst({ admission }: MemberJoined): readonly RoleId[] {
  return admission.by === 'bot_installation' && admission.role !== null ? [admission.role.id] : []
}

function banOf({ moderatorId, reason, bannedAt, expiresAt, ip }: MemberBanned) {
  return { moderatorId, reason, bannedAt, expiresAt, ip }
}

function ended(state: MembershipState, at: Timestamp | undefined): MembershipState {
  return state.status === 'member' ? { status: 'absent', ...keeping(state, at) } : state
}

/** What outlives a membership that ends now, or ended before: a timeout. */
function keeping(state: MembershipState, endedAt?: Timestamp): { readonly timeout?: KeptTimeout } {
  if (state.status !== 'member') return state.timeout === undefined ? {} : { timeout: state.timeout }
  const { communicationDisabledUntil: until } = state
  return until === null || endedAt === undefined ? {} : { timeout: { until, since: endedAt } }
}

function whileMember(state: MembershipState, next: (record: Membership) => Membership): MembershipState {
  return state.status === 'member' ? { status: 'member', ...next(state) } : state
}
