import type { ChannelId, GuildId } from '../../../domain/ids/ids.ts'
import { threadTypes } from '../../../domain/thread/state.ts'
import { viewsThread } from '../../../domain/thread/views-thread.ts'
import { requireGuild, requirePermission, type ChannelAccess } from '../../access/guild-access.ts'
import { requireAge } from '../../access/require-age.ts'
import { moderatesIn } from '../../access/thread-access.ts'
import { computePermissions } from '../../../domain/permissions/compute-permissions.ts'
import { has } from '../../../domain/guild/channel.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { ownThreadMemberObject, type ThreadObject } from '../../wire-objects/conversations/thread-objects.ts'
import type {
  ArchivedThreadsPage,
  OwnArchivedThreadsPage,
  ThreadRecord,
  ThreadSearch,
} from '../../ports/queries/thread-queries.ts'
import type { Ports } from '../../ports.ts'
import { requireParent } from './starting-threads.ts'
import { threadViews } from './thread-views.ts'

type Needs = Pick<Ports, 'messages' | 'queries'>

/** Threads, and the caller's memberships in them. */
export interface ThreadList {
  readonly threads: readonly ThreadObject[]
  readonly members: readonly ReturnType<typeof ownThreadMemberObject>[]
}

/** A page of threads, and whether more follow. */
export interface ThreadPage extends ThreadList {
  readonly has_more: boolean
}

/** A page of search results, and the total number. */
export interface FoundThreads extends ThreadPage {
  readonly total_results: number
}

/** The active threads of a guild that a bot can view. Refuses as `requireGuild` does. See rules/channels#archive. */
export function listActiveThreads(ports: Needs) {
  return async (caller: Caller, guildId: GuildId): Promise<ThreadList> => {
    const { guild, member } = await requireGuild(ports, caller, guildId)
    const active = await ports.queries.threads.activeOf(guildId)
    const memberships = await ports.queries.threads.membershipsOf(
      caller.account.id,
      active.map(({ threadId }) => threadId),
    )
    const joined = new Set(memberships.map(({ threadId }) => threadId))
    const masks = new Map(
      guild.channels.map(({ id, overwrites }) => [id, computePermissions(guild, member, overwrites)]),
    )
    const { now } = caller.context
    const viewable = active.filter(({ threadId, parentId, threadType }) =>
      viewsThread(masks.get(parentId) ?? 0n, member, { threadType, hasJoined: joined.has(threadId), now }),
    )
    return listOf(ports, caller, viewable)
  }
}

/**
 * Archived threads of a channel that are not private, last archived first. Refuses as `requireBrowsable` does. See
 * rules/channels#archive.
 */
export function listPublicArchivedThreads(ports: Needs) {
  return async (caller: Caller, parentId: ChannelId, page: Omit<ArchivedThreadsPage, 'types'>): Promise<ThreadPage> => {
    await requireBrowsable(ports, caller, parentId)
    const types = [threadTypes.public, threadTypes.announcement]
    return pageOf(ports, caller, await ports.queries.threads.archivedOf(parentId, { ...page, types }), page.limit)
  }
}

/** The same for private threads. Demands MANAGE_THREADS (403 MISSING_PERMISSIONS) and no timeout (403 COMMUNICATION_DISABLED). */
export function listPrivateArchivedThreads(ports: Needs) {
  return async (caller: Caller, parentId: ChannelId, page: Omit<ArchivedThreadsPage, 'types'>): Promise<ThreadPage> => {
    const access = await requireBrowsable(ports, caller, parentId)
    requirePermission(access, 'MANAGE_THREADS')
    if (!moderatesIn(access, caller)) reject('COMMUNICATION_DISABLED')
    const types = [threadTypes.private]
    return pageOf(ports, caller, await ports.queries.threads.archivedOf(parentId, { ...page, types }), page.limit)
  }
}

/** The archived private threads that the caller has joined, newest first. */
export function listOwnPrivateArchivedThreads(ports: Needs) {
  return async (caller: Caller, parentId: ChannelId, page: OwnArchivedThreadsPage): Promise<ThreadPage> => {
    await requireBrowsable(ports, caller, parentId)
    const found = await ports.queries.threads.ownArchivedOf(parentId, caller.account.id, page)
    return pageOf(ports, caller, found, page.limit)
  }
}

/** Searches a channel's threads by a part of the name. Refuses as `requireBrowsable` does. */
export function searchThreads(ports: Needs) {
  return async (
    caller: Caller,
    parentId: ChannelId,
    wanted: Omit<ThreadSearch, 'viewer' | 'seesAllPrivate'>,
  ): Promise<FoundThreads> => {
    const access = await requireBrowsable(ports, caller, parentId)
    const search = { ...wanted, viewer: caller.account.id, seesAllPrivate: moderatesIn(access, caller) }
    const { found, total } = await ports.queries.threads.search(parentId, search)
    const list = await listOf(ports, caller, found)
    return { ...list, has_more: wanted.offset + found.length < total, total_results: total }
  }
}

/**
 * The channel whose threads are listed. Refuses as `requireChannel` does, then with 403 MISSING_ACCESS without VIEW_CHANNEL, 400
 * INVALID_CHANNEL_TYPE for a channel that cannot have threads, 403 NSFW_CONTENT_AGE_RESTRICTED, 403 MISSING_PERMISSIONS without
 * READ_MESSAGE_HISTORY.
 */
async function requireBrowsable(ports: Needs, caller: Caller, parentId: ChannelId): Promise<ChannelAccess> {
  const access = await requireParent(ports, caller, parentId)
  if (!has(access.channel.type, 'threads')) reject('INVALID_CHANNEL_TYPE')
  requireAge(access.guild, access.channel, caller)
  requirePermission(access, 'READ_MESSAGE_HISTORY')
  return access
}

async function pageOf(
  ports: Needs,
  caller: Caller,
  found: readonly ThreadRecord[],
  limit: number,
): Promise<ThreadPage> {
  return { ...(await listOf(ports, caller, found.slice(0, limit))), has_more: found.length > limit }
}

async function listOf(ports: Needs, caller: Caller, threads: readonly ThreadRecord[]): Promise<ThreadList> {
  const { id: accountId } = caller.account
  const [views, memberships] = await Promise.all([
    threadViews(ports, caller, threads),
    ports.queries.threads.membershipsOf(
      accountId,
      threads.map(({ threadId }) => threadId),
    ),
  ])
  const members = memberships.map((member) => ownThreadMemberObject({ threadId: member.threadId, accountId, member }))
  return { threads: views, members }
}
