import { accept, refuse, type Decision } from '../../kernel/decider.ts'
import { field } from '../../kernel/refusal.ts'
import { msOf, type Timestamp } from '../../kernel/timestamp.ts'
import type { EndTemporaryMembership, JoinGuild, LeaveGuild } from '../commands.ts'
import type { MembershipEvent } from '../events.ts'
import { isBanned, year_ms, type KeptTimeout, type MembershipState } from '../state.ts'

/**
 * Joining again changes nothing; a ban prevents joining until it ends. A timeout that was still running when the
 * account left continues if it returns within a year (rules/members#what-ends-with-a-membership).
 */
export function join(state: MembershipState, command: JoinGuild): Decision<MembershipEvent> {
  if (state.status === 'member') return accept()
  if (isBanned(state, command.now)) return refuse('USER_BANNED_FROM_GUILD')
  const { guildId, accountId, temporary, admission, now } = command
  const communicationDisabledUntil = state.timeout && resumed(state.timeout, now)
  const data = { guildId, accountId, joinedAt: now, temporary, admission }
  return accept({
    type: 'MemberJoined',
    data: communicationDisabledUntil === undefined ? data : { ...data, communicationDisabledUntil },
  })
}

function resumed({ until, since }: KeptTimeout, now: Timestamp): Timestamp | undefined {
  const isOver = msOf(until) <= msOf(now) || msOf(now) - msOf(since) > year_ms
  return isOver ? undefined : until
}

/**
 * The owner cannot leave. An account that is not a member gets UNKNOWN_MEMBER, whether or not the guild exists
 * (rules/members#leave).
 */
export function leave(state: MembershipState, { isOwner, now }: LeaveGuild): Decision<MembershipEvent> {
  if (state.status !== 'member') return refuse('UNKNOWN_MEMBER')
  if (isOwner) return refuse('INVALID_FORM_BODY', field('guild_id', 'CANNOT_LEAVE_GUILD_AS_OWNER'))
  return accept({ type: 'MemberLeft', data: { guildId: state.guildId, accountId: state.accountId, leftAt: now } })
}

/** Changes nothing if the membership has ended already or is permanent: the owner's, and that of a member with a role. */
export function endTemporary(
  state: MembershipState,
  { isOwner, now }: EndTemporaryMembership,
): Decision<MembershipEvent> {
  if (state.status !== 'member' || !state.temporary || isOwner) return accept()
  return accept({ type: 'MemberLeft', data: { guildId: state.guildId, accountId: state.accountId, leftAt: now } })
}
