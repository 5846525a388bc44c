import { accept, refuse, type Decision } from '../../kernel/decider.ts'
import { field } from '../../kernel/refusal.ts'
import type { BanMember, KickMember, UnbanMember } from '../commands.ts'
import type { MembershipEvent } from '../events.ts'
import { isBanned, type MembershipState } from '../state.ts'

/** Ends a membership without a ban. The caller has checked that the member is not the owner, who is never kicked. */
export function kick(state: MembershipState, { now }: KickMember): Decision<MembershipEvent> {
  if (state.status !== 'member') return refuse('UNKNOWN_MEMBER')
  const { guildId, accountId } = state
  return accept({ type: 'MemberKicked', data: { guildId, accountId, kickedAt: now } })
}

/** Ends the membership if there is one: an account that is not a member can be banned too. A later ban replaces it. */
export function ban(state: MembershipState, { type: _, now, ...terms }: BanMember): Decision<MembershipEvent> {
  if (state.status === 'banned' && state.bannedAt === now && state.expiresAt === terms.expiresAt) return accept()
  return accept({ type: 'MemberBanned', data: { ...terms, wasMember: state.status === 'member', bannedAt: now } })
}

/** Lifts a ban that is in force. */
export function unban(state: MembershipState, { guildId, accountId, now }: UnbanMember): Decision<MembershipEvent> {
  if (state.status !== 'banned' || !isBanned(state, now)) {
    return refuse('INVALID_FORM_BODY', field('user_id', 'USER_IS_NOT_BANNED'))
  }
  const { moderatorId, reason, bannedAt, expiresAt, ip } = state
  const lifted = { moderatorId, reason, bannedAt, expiresAt, ip }
  return accept({ type: 'MemberUnbanned', data: { guildId, accountId, ...lifted } })
}
