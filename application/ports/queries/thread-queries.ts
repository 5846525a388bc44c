import type { Position } from '../event-store.js'
import type { AccountId, ChannelId, GuildId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import type { Thread, ThreadMember, ThreadType } from '../../../domain/thread/state.js'

/** A thread, and how many have joined it. */
export interface ThreadRecord extends Thread {
  readonly memberCount: number
}

/** An account's membership of a thread. */
export interface ThreadMembership extends ThreadMember {
  readonly threadId: ChannelId
  readonly accountId: AccountId
}

/** The archived threads of a channel, those archived last first. */
export interface ArchivedThreadsPage {
  readonly types: readonly ThreadType[]
  /** Only those archived before. */
  readonly before?: Timestamp
  /** 2-100. */
  readonly limit: number
}

/** The private ones among them that an account has joined, the newest first. */
export interface OwnArchivedThreadsPage {
  /** Only those with a lower id. */
  readonly before?: ChannelId
  /** 2-100. */
  readonly limit: number
}

export interface ThreadSearch {
  /** Text that the name holds, in either case; null for every thread. */
  readonly name: string | null
  /** Null for both. */
  readonly archived: boolean | null
  /** Public ones, and the private ones of this account, or all where it may see all. */
  readonly viewer: AccountId
  readonly seesAllPrivate: boolean
  readonly oldestFirst: boolean
  /** 1-25. */
  readonly limit: number
  /** 0-9975. */
  readonly offset: number
}

/** Threads that were started and not deleted. Whether their channel still stands is the asker's to see. */
export interface ThreadQueries {
  find(thread: ChannelId): Promise<ThreadRecord | undefined>
  /** Those that are there, in no order. */
  findMany(threads: readonly ChannelId[]): Promise<readonly ThreadRecord[]>
  /** Those of a guild that are not archived, by their ids. */
  activeOf(guild: GuildId): Promise<readonly ThreadRecord[]>
  /** Those of every guild that an account is in, likewise. */
  activeInGuildsOf(account: AccountId): Promise<readonly ThreadRecord[]>
  /** Those that an account has joined, likewise. */
  activeJoinedBy(account: AccountId): Promise<readonly ThreadRecord[]>
  countActive(guild: GuildId): Promise<number>
  /** One more than `limit` where there are more. */
  archivedOf(parent: ChannelId, page: ArchivedThreadsPage): Promise<readonly ThreadRecord[]>
  ownArchivedOf(parent: ChannelId, account: AccountId, page: OwnArchivedThreadsPage): Promise<readonly ThreadRecord[]>
  search(
    parent: ChannelId,
    search: ThreadSearch,
  ): Promise<{ readonly found: readonly ThreadRecord[]; readonly total: number }>
  /** Every thread of a channel, or of a whole guild, archived or not. */
  idsUnder(place: { readonly parentId: ChannelId } | { readonly guildId: GuildId }): Promise<readonly ChannelId[]>
  membership(thread: ChannelId, account: AccountId): Promise<ThreadMembership | undefined>
  /** An account's memberships of some threads. */
  membershipsOf(account: AccountId, threads: readonly ChannelId[]): Promise<readonly ThreadMembership[]>
  /** Members of a thread by the ids of their accounts, at most `limit`, those after one where it is given. */
  members(
    thread: ChannelId,
    page: { readonly after?: AccountId; readonly limit: number },
  ): Promise<readonly ThreadMembership[]>
  /** The first 8 members of threads, in the order in which they joined. */
  memberPreviews(threads: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, readonly AccountId[]>>
  /** An account's memberships of a guild's threads that began before a position. */
  joinedIn(guild: GuildId, account: AccountId, before: Position): Promise<readonly ThreadMembership[]>
  /** Threads that would archive themselves by now had nobody written since they were started or brought back, by their ids. */
  perhapsIdle(
    now: Timestamp,
    page: { readonly after?: ChannelId; readonly limit: number },
  ): Promise<readonly ThreadRecord[]>
}
