import { lacking } from '../../../domain/permissions/authority.ts'
import type { AccountId, ChannelId } from '../../../domain/ids/ids.ts'
import type { ThreadMember } from '../../../domain/thread/state.ts'
import { requirePermission } from '../../access/guild-access.ts'
import { canViewParent, requireNotTimedOut, requireThread, type ThreadAccess } from '../../access/thread-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { deletedAccount } from '../../wire-objects/identity/deleted-account.ts'
import { memberObject, type MemberObject } from '../../wire-objects/communities/member-objects.ts'
import { ownThreadMemberObject, threadMemberObject } from '../../wire-objects/conversations/thread-objects.ts'
import { added, removed } from '../messages/system/said.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { ThreadMembership } from '../../ports/queries/thread-queries.ts'
import type { Ports } from '../../ports.ts'
import { requireChannelStill } from './require-channel-still.ts'
import { tellInThread } from './thread-messages.ts'

type Needs = Pick<Ports, 'aggregates' | 'messages' | 'queries' | 'readModels'>

/**
 * Makes the caller a member of a thread that it can view. Refuses as `requireThread` does, then with
 * COMMUNICATION_DISABLED, TWO_FACTOR_REQUIRED if it needs a moderator, THREAD_ARCHIVED, THREAD_LOCKED for callers who
 * are not moderators, MISSING_PERMISSIONS (a private thread that is not invitable, for callers who are not moderators),
 * MAX_THREAD_MEMBERS. See rules/channels#thread-members.
 */
export function joinThread(ports: Needs) {
  return async (caller: Caller, threadId: ChannelId): Promise<void> => {
    const access = await requireThread(ports, caller, threadId)
    requireNotTimedOut(access, caller)
    await add(ports, caller, access, caller.account.id)
  }
}

/**
 * Makes another guild member a member of a thread, announced in it by a message of type 1. Everybody who may write in the thread
 * may do this. Refuses as `joinThread` does, with MISSING_PERMISSIONS before that, and with 404 UNKNOWN_MEMBER for an account
 * that is not in the guild, 403 MISSING_ACCESS for one that cannot view the channel.
 */
export function addThreadMember(ports: Needs) {
  return async (caller: Caller, threadId: ChannelId, accountId: AccountId): Promise<void> => {
    if (accountId === caller.account.id) return joinThread(ports)(caller, threadId)
    const access = await requireThread(ports, caller, threadId)
    requireNotTimedOut(access, caller)
    if (!access.can('SEND_MESSAGES')) reject(lacking('SEND_MESSAGES'))
    const member = (await ports.queries.members.find(access.guild.id, accountId)) ?? reject('UNKNOWN_MEMBER')
    if (!canViewParent(access, member)) reject('MISSING_ACCESS')
    const { changed } = await add(ports, caller, access, accountId)
    if (changed) await tellInThread(ports, access, caller, added(caller.account.id, accountId))
  }
}

/** Ends the caller's membership. Refuses as `requireThread` does, then with COMMUNICATION_DISABLED, UNKNOWN_THREAD_MEMBER. */
export function leaveThread(ports: Needs) {
  return async (caller: Caller, threadId: ChannelId): Promise<void> => {
    const access = await requireThread(ports, caller, threadId)
    requireNotTimedOut(access, caller)
    await remove(ports, caller, access, caller.account.id)
  }
}

/**
 * Ends another account's membership, announced in the thread by a message of type 2. Holders of MANAGE_THREADS may, and the owner
 * of a private thread. Refuses as `requireThread` does, then with COMMUNICATION_DISABLED, MISSING_PERMISSIONS,
 * TWO_FACTOR_REQUIRED, THREAD_ARCHIVED, UNKNOWN_THREAD_MEMBER.
 */
export function removeThreadMember(ports: Needs) {
  return async (caller: Caller, threadId: ChannelId, accountId: AccountId): Promise<void> => {
    if (accountId === caller.account.id) return leaveThread(ports)(caller, threadId)
    const access = await requireThread(ports, caller, threadId)
    requireNotTimedOut(access, caller)
    const { thread } = access
    const isOwnPrivate = thread.invitable !== null && thread.ownerId === caller.account.id
    if (!isOwnPrivate) requirePermission(access, 'MANAGE_THREADS')
    await remove(ports, caller, access, accountId)
    await tellInThread(ports, access, caller, removed(caller.account.id, accountId))
  }
}

/** One membership, for bots. Refuses as `requireThread` does, then with UNKNOWN_THREAD_MEMBER. */
export function getThreadMember(ports: Pick<Needs, 'queries'>) {
  return async (caller: Caller, threadId: ChannelId, accountId: AccountId, withMember: boolean) => {
    const access = await requireThread(ports, caller, threadId)
    const membership = await ports.queries.threads.membership(threadId, accountId)
    if (!membership) return reject('UNKNOWN_THREAD_MEMBER')
    const guildMembers = withMember ? await guildMembersOf(ports, caller, access, [accountId]) : undefined
    return threadMemberObject({ threadId, accountId, member: membership, guildMember: guildMembers?.get(accountId) })
  }
}

/** The members of a thread by account id, for bots. Refuses as `requireThread` does. */
export function listThreadMembers(ports: Pick<Needs, 'queries'>) {
  return async (
    caller: Caller,
    threadId: ChannelId,
    { withMember, ...page }: { readonly after?: AccountId; readonly limit: number; readonly withMember: boolean },
  ) => {
    const access = await requireThread(ports, caller, threadId)
    const found = await ports.queries.threads.members(threadId, page)
    const ids = found.map(({ accountId }) => accountId)
    const guildMembers = withMember ? await guildMembersOf(ports, caller, access, ids) : undefined
    return found.map((member) =>
      threadMemberObject({
        threadId,
        accountId: member.accountId,
        member,
        guildMember: guildMembers?.get(member.accountId),
      }),
    )
  }
}

/**
 * Changes the caller's notification settings for a thread. Refuses as `requireThread` does, then with COMMUNICATION_DISABLED,
 * UNKNOWN_THREAD_MEMBER.
 */
export function changeOwnThreadSettings(ports: Needs) {
  return async (caller: Caller, threadId: ChannelId, changes: Partial<Omit<ThreadMember, 'joinedAt'>>) => {
    const access = await requireThread(ports, caller, threadId)
    requireNotTimedOut(access, caller)
    const { membership } = access
    if (!membership) return reject('UNKNOWN_THREAD_MEMBER')
    const { context, account } = caller
    const command = { type: 'ChangeThreadMemberSettings', accountId: account.id, changes } as const
    await ports.aggregates.thread.execute(threadId, command, context)
    await ports.readModels.reached(context.written)
    const changed: ThreadMembership = (await ports.queries.threads.membership(threadId, account.id)) ?? membership
    return ownThreadMemberObject({ threadId, accountId: account.id, member: changed })
  }
}

async function add(ports: Needs, caller: Caller, access: ThreadAccess, accountId: AccountId) {
  const { context, account } = caller
  const { isModerator: asModerator, thread } = access
  if (asModerator && takesModerator(access, account.id, accountId)) requirePermission(access, 'MANAGE_THREADS')
  const command = { type: 'AddThreadMember', accountId, by: account.id, asModerator, now: context.now } as const
  const executed = await ports.aggregates.thread.execute(thread.threadId, command, context)
  await ports.readModels.reached(context.written)
  if (!executed.changed) return executed
  await requireChannelStill(ports, caller, thread)
  if (await ports.queries.members.find(access.guild.id, accountId)) return executed
  // The account has left the guild meanwhile; the follower that ends memberships may not have seen this one.
  const end = { type: 'EndThreadMembership', accountId, joinedAt: context.now } as const
  await ports.aggregates.thread.execute(thread.threadId, end, context)
  return reject('UNKNOWN_MEMBER')
}

/**
 * Whether adding an account needs a moderator: to a locked thread, or another account to a private thread that is not invitable.
 */
function takesModerator({ thread }: ThreadAccess, by: AccountId, accountId: AccountId): boolean {
  return thread.locked || (thread.invitable === false && by !== accountId && by !== thread.ownerId)
}

async function remove(ports: Needs, caller: Caller, access: ThreadAccess, accountId: AccountId): Promise<void> {
  const command = { type: 'RemoveThreadMember', accountId, by: caller.account.id } as const
  await ports.aggregates.thread.execute(access.thread.threadId, command, caller.context)
  await ports.readModels.reached(caller.context.written)
}

/** The guild members among some accounts; accounts that have left the guild are left out. */
async function guildMembersOf(
  { queries }: Pick<Needs, 'queries'>,
  { context }: Caller,
  { guild }: ThreadAccess,
  ids: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, MemberObject>> {
  const [members, accounts] = await Promise.all([queries.members.among(guild.id, ids), queries.accounts.findMany(ids)])
  const records = new Map(accounts.map((record) => [record.id, record]))
  const recordOf = (id: AccountId): AccountRecord => records.get(id) ?? deletedAccount(id)
  return new Map(
    members.map((member) => [member.accountId, memberObject(member, recordOf(member.accountId), context.now)]),
  )
}
