import { everyoneRoleId, type RoleId } from '../ids/ids.js'
import { accept, refuse, type Decider, type Decision } from '../kernel/decider.js'
import { field } from '../kernel/refusal.js'
import { msOf, type Timestamp } from '../kernel/timestamp.js'
import type { BanMember, JoinGuild, LeaveGuild, MembershipCommand, SetMemberRoles } from './commands.js'
import type { MemberJoined, MembershipEvent } from './events.js'
import type { Membership, MembershipState } from './state.js'

/** Where one account stands in one guild: a stranger, a member with roles, or banned. */
export const membership: Decider<MembershipState, MembershipCommand, MembershipEvent> = {
  category: 'membership',
  initial: { status: 'absent' },
  decide,
  evolve,
}

function decide(state: MembershipState, command: MembershipCommand): Decision<MembershipEvent> {
  switch (command.type) {
    case 'JoinGuild':
      return join(state, command)
    case 'LeaveGuild':
      return leave(state, command)
    case 'SetMemberRoles':
      return setRoles(state, command)
    case 'BanMember':
      return ban(state, command)
  }
}

/** Joining again changes nothing; a ban keeps out until it ends (contract part 1, Accept invite). */
function join(state: MembershipState, command: JoinGuild): Decision<MembershipEvent> {
  if (state.status === 'member') return accept()
  if (isBanned(state, command.now)) return refuse('USER_BANNED_FROM_GUILD')
  const { guildId, accountId, temporary, admission, now } = command
  return accept({ type: 'MemberJoined', data: { guildId, accountId, joinedAt: now, temporary, admission } })
}

/** The owner cannot leave; who is no member is unknown, whether or not the guild exists (contract part 1, Leave guild). */
function leave(state: MembershipState, { isOwner }: LeaveGuild): Decision<MembershipEvent> {
  if (state.status !== 'member') return refuse('UNKNOWN_MEMBER')
  if (isOwner) return refuse('INVALID_FORM_BODY', field('guild_id', 'CANNOT_LEAVE_GUILD_AS_OWNER'))
  return accept({ type: 'MemberLeft', data: { guildId: state.guildId, accountId: state.accountId } })
}

/** Roles are a set. Everyone's role is held by being a member and is never among them. */
function setRoles(state: MembershipState, command: SetMemberRoles): Decision<MembershipEvent> {
  if (state.status !== 'member') return refuse('UNKNOWN_MEMBER')
  const { guildId, accountId } = state
  const wanted: ReadonlySet<RoleId> = new Set(command.roles.filter((role) => role !== everyoneRoleId(guildId)))
  const isTheSameSet = wanted.size === state.roles.length && state.roles.every((role) => wanted.has(role))
  if (isTheSameSet) return accept()
  return accept({ type: 'MemberRolesChanged', data: { guildId, accountId, roles: [...wanted] } })
}

/** Ends the membership where there is one: a stranger may be banned too (reference gateway 5.5). A later ban replaces it. */
function ban(state: MembershipState, command: BanMember): Decision<MembershipEvent> {
  const { guildId, accountId, moderatorId, reason, expiresAt, now } = command
  if (state.status === 'banned' && state.bannedAt === now && state.expiresAt === expiresAt) return accept()
  const wasMember = state.status === 'member'
  return accept({
    type: 'MemberBanned',
    data: { guildId, accountId, moderatorId, wasMember, reason, bannedAt: now, expiresAt },
  })
}

/** Whether a ban keeps the account out at an instant. */
export function isBanned(state: MembershipState, now: Timestamp): boolean {
  return state.status === 'banned' && (state.expiresAt === null || msOf(now) < msOf(state.expiresAt))
}

function evolve(state: MembershipState, event: MembershipEvent): MembershipState {
  switch (event.type) {
    case 'MemberJoined': {
      const { guildId, accountId, joinedAt, temporary } = event.data
      return { status: 'member', guildId, accountId, joinedAt, temporary, roles: rolesAtFirst(event.data) }
    }
    case 'MemberLeft':
      return state.status === 'member' ? { status: 'absent' } : state
    case 'MemberRolesChanged':
      return whileMember(state, (record) => ({ ...record, roles: event.data.roles }))
    case 'MemberBanned':
      return { status: 'banned', bannedAt: event.data.bannedAt, expiresAt: event.data.expiresAt }
  }
}

/** The roles that a member has from the beginning: a bot its own, others none besides everyone's. */
export function rolesAtFirst({ admission }: Pick<MemberJoined, 'admission'>): readonly RoleId[] {
  return admission.by === 'bot_installation' && admission.role !== null ? [admission.role.id] : []
}

function whileMember(state: MembershipState, next: (record: Membership) => Membership): MembershipState {
  return state.status === 'member' ? { status: 'member', ...next(state) } : state
}
