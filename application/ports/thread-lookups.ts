import type { AccountId, ChannelId } from '../../domain/ids/ids.js'
import type { ThreadMember } from '../../domain/thread/state.js'
import type { ThreadTally } from '../wire-objects/conversations/thread-objects.js'
import type { ThreadMembership, ThreadRecord } from './queries/thread-queries.js'

/** A thread as it is now, what is counted in it, and who has joined it. */
export interface FoundThread {
  readonly thread: ThreadRecord
  readonly tally: ThreadTally
  readonly members: ReadonlyMap<AccountId, ThreadMembership>
}

/** An active thread as one account finds it. */
export interface ActiveThread {
  readonly thread: ThreadRecord
  readonly tally: ThreadTally
  /** Undefined where it has not joined. */
  readonly member: ThreadMember | undefined
}

/** What Gateways tell of threads. */
export interface ThreadLookups {
  /** Undefined for one that is gone. */
  find(thread: ChannelId): Promise<FoundThread | undefined>
  /** Those of some threads, at most 1000, that there are: of a private one its members, of others null. */
  heardBy(threads: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, readonly AccountId[] | null>>
  /** The active threads that an account has joined, in whichever guilds; of a bot, every one in its guilds. */
  activeFor(account: AccountId, isBot: boolean): Promise<readonly ActiveThread[]>
  /** What is counted in each of some threads. */
  talliesOf(threads: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, ThreadTally>>
}
