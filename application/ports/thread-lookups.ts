import type { AccountId, ChannelId, GuildId } from '../../domain/ids/ids.ts'
import type { ThreadMember } from '../../domain/thread/state.ts'
import type { ThreadTally } from '../wire-objects/conversations/thread-objects.ts'
import type { ThreadMembership, ThreadRecord } from './queries/thread-queries.ts'

/** A thread as it is now, with its message counts and members. */
export interface FoundThread {
  readonly thread: ThreadRecord
  readonly tally: ThreadTally
  readonly members: ReadonlyMap<AccountId, ThreadMembership>
}

/** An active thread as one account sees it. */
export interface ActiveThread {
  readonly thread: ThreadRecord
  readonly tally: ThreadTally
  /** Undefined if it has not joined. */
  readonly member: ThreadMember | undefined
}

/** Who hears of a thread. */
export interface HeardThread {
  readonly guildId: GuildId
  /** The members of a private thread, null for another. */
  readonly members: readonly AccountId[] | null
}

/** What Gateways read about threads. */
export interface ThreadLookups {
  /** Undefined for a deleted thread. */
  find(thread: ChannelId): Promise<FoundThread | undefined>
  /** Those of the threads that exist, at most 1000. */
  heardBy(threads: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, HeardThread>>
  /** The active threads that an account has joined, in all guilds; for a bot, all active threads in its guilds. */
  activeFor(account: AccountId, isBot: boolean): Promise<readonly ActiveThread[]>
  /** The message counts of some threads. */
  talliesOf(threads: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, ThreadTally>>
}
