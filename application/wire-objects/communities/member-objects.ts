import type { RoleId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { isTimedOut, type Membership } from '../../../domain/membership/state.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import { partialUserObject, type PartialUserObject } from '../identity/user-objects.ts'

/** A member of a guild. */
export interface MemberObject {
  readonly user: PartialUserObject
  readonly nick: string | null
  readonly avatar: string | null
  readonly banner: string | null
  readonly accent_color: number | null
  readonly roles: readonly RoleId[]
  readonly joined_at: Timestamp
  readonly mute: boolean
  readonly deaf: boolean
  readonly communication_disabled_until: Timestamp | null
  readonly profile_flags?: number
  readonly mention_flags?: number
}

/** A member as shown at an instant; a timed out member is also shown as muted. Flags are left out if there are none. */
export function memberObject(member: Membership, account: AccountRecord, now: Timestamp): MemberObject {
  const { profileFlags, mentionFlags } = member
  return {
    user: partialUserObject(account),
    nick: member.nick,
    avatar: member.avatar,
    banner: member.banner,
    accent_color: member.accentColor,
    roles: member.roles,
    joined_at: member.joinedAt,
    mute: member.mute || isTimedOut(member, now),
    deaf: member.deaf,
    communication_disabled_until: member.communicationDisabledUntil,
    ...(profileFlags === 0 ? {} : { profile_flags: profileFlags }),
    ...(mentionFlags === 0 ? {} : { mention_flags: mentionFlags }),
  }
}
