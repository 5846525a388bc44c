import type { Timestamp } from '../kernel/timestamp.ts'
import { isTimedOut, type Membership } from '../membership/state.ts'
import { holds } from '../permissions/compute-permissions.ts'

/**
 * Whether a member with this mask in a channel moderates its threads: the owner and administrators, whose masks have
 * all bits, and holders of MANAGE_THREADS who are not timed out (rules/channels#reach-a-thread).
 */
export function moderatesThreads(
  mask: bigint,
  member: Pick<Membership, 'communicationDisabledUntil'>,
  now: Timestamp,
): boolean {
  return holds(mask, 'ADMINISTRATOR') || (holds(mask, 'MANAGE_THREADS') && !isTimedOut(member, now))
}
