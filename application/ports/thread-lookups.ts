import type { AccountId, ChannelId } from '../../domain/ids/ids.ts'
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

/** What Gateways read about threads. */
export interface ThreadLookups {
  /** Undefined for a deleted thread. */
  find(thread: ChannelId): Promise<FoundThread | undefined>
  /** For those of the threads that exist, at most 1000: the members of a private thread, null for others. */
  heardBy(threads: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, readonly AccountId[] | null>>
  /** The active threads that an account has joined, in all guilds; for a bot, all active threads in its guilds. */
  activeFor(account: AccountId, isBot: boolean): Promise<readonly ActiveThread[]>
  /** The message counts of some threads. */
  talliesOf(threads: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, ThreadTally>>
}
