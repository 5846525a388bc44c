import type { Membership } from '../../domain/membership/state.js'
import type { AccountRecord } from '../ports/queries/account-queries.js'
import { partialUserObject } from './user-objects.js'

/** The guild member object (reference gateway 3.6). */
export function memberObject(member: Membership, account: AccountRecord) {
  return {
    user: partialUserObject(account),
    nick: null,
    avatar: null,
    banner: null,
    accent_color: null,
    roles: member.roles,
    joined_at: member.joinedAt,
    mute: false,
    deaf: false,
    communication_disabled_until: null,
  }
}

export type MemberObject = ReturnType<typeof memberObject>
