import type { Timestamp } from '../kernel/timestamp.ts'
import type { Membership } from '../membership/state.ts'
import { holds } from '../permissions/compute-permissions.ts'
import { moderatesThreads } from './moderation.ts'
import { threadTypes, type ThreadPlace } from './state.ts'

/**
 * Whether a member with this mask in a channel can view a thread there: needs VIEW_CHANNEL and, for a private thread,
 * to have joined it or to moderate threads.
 */
export function viewsThread(
  mask: bigint,
  member: Pick<Membership, 'communicationDisabledUntil'>,
  {
    threadType,
    hasJoined,
    now,
  }: Pick<ThreadPlace, 'threadType'> & { readonly hasJoined: boolean; readonly now: Timestamp },
): boolean {
  if (!holds(mask, 'VIEW_CHANNEL')) return false
  return threadType !== threadTypes.private || hasJoined || moderatesThreads(mask, member, now)
}
