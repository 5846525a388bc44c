import type { Position } from '../../../domain/kernel/position.ts'
import type { AccountId, ChannelId, GuildId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Thread, ThreadMember, ThreadType } from '../../../domain/thread/state.ts'

/** A thread and its number of members. */
export interface ThreadRecord extends Thread {
  readonly memberCount: number
}

/** An account's membership of a thread. */
export interface ThreadMembership extends ThreadMember {
  readonly threadId: ChannelId
  readonly accountId: AccountId
}

/** The archived threads of a channel, last archived first. */
export interface ArchivedThreadsPage {
  readonly types: readonly ThreadType[]
  /** Only those archived before this time. */
  readonly before?: Timestamp
  /** 2-100. */
  readonly limit: number
}

/** The archived private threads that an account has joined, newest first. */
export interface OwnArchivedThreadsPage {
  /** Only those with a lower id. */
  readonly before?: ChannelId
  /** 2-100. */
  readonly limit: number
}

export interface ThreadSearch {
  /** Text that the name contains, case-insensitive; null for every thread. */
  readonly name: string | null
  /** Null for both. */
  readonly archived: boolean | null
  /** Includes public threads, and private ones that this account has joined, or all private ones with `seesAllPrivate`. */
  readonly viewer: AccountId
  readonly seesAllPrivate: boolean
  readonly oldestFirst: boolean
  /** 1-25. */
  readonly limit: number
  /** 0-9975. */
  readonly offset: number
}

/** Threads that were started and not deleted. The caller checks whether their channel still exists. */
export interface ThreadQueries {
  find(thread: ChannelId): Promise<ThreadRecord | undefined>
  /** Those that exist, in no order. */
  findMany(threads: readonly ChannelId[]): Promise<readonly ThreadRecord[]>
  /** The threads of a guild that are not archived, by id. */
  activeOf(guild: GuildId): Promise<readonly ThreadRecord[]>
  /** The same for every guild that an account is in. */
  activeInGuildsOf(account: AccountId): Promise<readonly ThreadRecord[]>
  /** The same for the threads that an account has joined. */
  activeJoinedBy(account: AccountId): Promise<readonly ThreadRecord[]>
  countActive(guild: GuildId): Promise<number>
  /** Up to one more than `limit`, which shows whether more follow. */
  archivedOf(parent: ChannelId, page: ArchivedThreadsPage): Promise<readonly ThreadRecord[]>
  ownArchivedOf(parent: ChannelId, account: AccountId, page: OwnArchivedThreadsPage): Promise<readonly ThreadRecord[]>
  search(
    parent: ChannelId,
    search: ThreadSearch,
  ): Promise<{ readonly found: readonly ThreadRecord[]; readonly total: number }>
  /** Every thread of a channel, or of a whole guild, archived or not. */
  idsUnder(parent: { readonly parentId: ChannelId } | { readonly guildId: GuildId }): Promise<readonly ChannelId[]>
  membership(thread: ChannelId, account: AccountId): Promise<ThreadMembership | undefined>
  /** An account's memberships of some threads. */
  membershipsOf(account: AccountId, threads: readonly ChannelId[]): Promise<readonly ThreadMembership[]>
  /** Members of a thread by account id, at most `limit`, after `after` if it is given. */
  members(
    thread: ChannelId,
    page: { readonly after?: AccountId; readonly limit: number },
  ): Promise<readonly ThreadMembership[]>
  /** The first 8 members of each thread, in the order in which they joined. */
  memberPreviews(threads: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, readonly AccountId[]>>
  /** An account's memberships in a guild's threads that began before a position. */
  joinedIn(guild: GuildId, account: AccountId, before: Position): Promise<readonly ThreadMembership[]>
  /** Threads that would be due for automatic archiving now if nobody had written since they were started or unarchived. By id. */
  perhapsIdle(
    now: Timestamp,
    page: { readonly after?: ChannelId; readonly limit: number },
  ): Promise<readonly ThreadRecord[]>
}
