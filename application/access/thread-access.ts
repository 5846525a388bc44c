import type { ChannelId } from '../../domain/ids/ids.ts'
import { isTimedOut, type Membership } from '../../domain/membership/state.ts'
import { computePermissions, holds } from '../../domain/permissions/compute-permissions.ts'
import type { PermissionName } from '../../domain/permissions/permission-bits.ts'
import { moderatesThreads } from '../../domain/thread/moderation.ts'
import { threadTypes } from '../../domain/thread/state.ts'
import { viewerOf, type Caller } from '../caller.ts'
import { reject } from '../commands/refused.ts'
import type { ThreadMembership, ThreadRecord } from '../ports/queries/thread-queries.ts'
import type { Ports } from '../ports.ts'
import { findChannel, type ChannelAccess } from './guild-access.ts'
import { requireAge } from './require-age.ts'

/**
 * A thread that the caller can view. `can` checks the thread's channel, with SEND_MESSAGES_IN_THREADS instead of SEND_MESSAGES.
 */
export interface ThreadAccess extends ChannelAccess {
  readonly thread: ThreadRecord
  /** The caller's own; undefined if it has not joined. */
  readonly membership: ThreadMembership | undefined
  /** True for the owner, administrators, and holders of MANAGE_THREADS in the channel who are not timed out. */
  readonly isModerator: boolean
}

type Needs = Pick<Ports, 'queries'>

/**
 * Gives the thread to a caller who can view it; undefined for an id of no thread. Refuses in this order: 404
 * UNKNOWN_CHANNEL for a user without thread access, or when the thread's channel is gone; then as `requireChannel`; 403
 * MISSING_ACCESS for a caller who cannot view the channel, or the private thread; 403 NSFW_CONTENT_AGE_RESTRICTED,
 * unless the thread is wanted at any age. See rules/channels#reach-a-thread.
 */
export async function findThread(
  ports: Needs,
  caller: Caller,
  threadId: ChannelId,
  wishes: { readonly evenUnavailable?: boolean; readonly atAnyAge?: boolean } = {},
): Promise<ThreadAccess | undefined> {
  const { threads } = ports.queries
  const thread = await threads.find(threadId)
  if (!thread) return undefined
  if (!viewerOf(caller).threadAccess) return reject('UNKNOWN_CHANNEL')
  const parent = (await findChannel(ports, caller, thread.parentId, wishes)) ?? reject('UNKNOWN_CHANNEL')
  if (!parent.can('VIEW_CHANNEL')) return reject('MISSING_ACCESS')
  const membership = await threads.membership(threadId, caller.account.id)
  const isModerator = moderatesIn(parent, caller)
  if (thread.threadType === threadTypes.private && !membership && !isModerator) return reject('MISSING_ACCESS')
  if (wishes.atAnyAge !== true) requireAge(parent.guild, parent.channel, caller)
  const can = (permission: PermissionName): boolean =>
    parent.can(permission === 'SEND_MESSAGES' ? 'SEND_MESSAGES_IN_THREADS' : permission)
  return { ...parent, can, thread, membership, isModerator }
}

/** The same, but 404 UNKNOWN_CHANNEL for an id of no thread. */
export async function requireThread(ports: Needs, caller: Caller, threadId: ChannelId): Promise<ThreadAccess> {
  return (await findThread(ports, caller, threadId)) ?? reject('UNKNOWN_CHANNEL')
}

/** Whether the caller moderates the threads of a channel. While timed out, only administrators do. */
export function moderatesIn({ guild, member, overwrites }: ChannelAccess, { context }: Caller): boolean {
  return moderatesThreads(computePermissions(guild, member, overwrites), member, context.now)
}

/** Demands that the caller is not timed out: 403 COMMUNICATION_DISABLED. */
export function requireNotTimedOut({ member }: Pick<ChannelAccess, 'member'>, caller: Caller): void {
  if (isTimedOut(member, caller.context.now)) reject('COMMUNICATION_DISABLED')
}

/** Whether another member can view the channel of a thread. */
export function canViewParent({ guild, overwrites }: ThreadAccess, member: Membership): boolean {
  return holds(computePermissions(guild, member, overwrites), 'VIEW_CHANNEL')
}
