import type { AdminCredential } from '../../domain/admin-audit/events.ts'
import type { EntryDetails } from '../../domain/blocklist-entry/events.ts'
import type { FeatureChanges } from '../../domain/guild/commands.ts'
import type { AccountId, BackgroundJobId, ChannelId, EntryId, GuildId, MessageId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { WorkCause } from '../commands/command-context.ts'
import type { MessageFilter } from './message-filter.ts'

/**
 * Work that an administrator starts and does not wait for, with a record of its progress. The records are not history:
 * they are kept for some 90 days, beside the events that the jobs cause.
 */

/** What each task works on. The names are stored with the jobs, so they never change. */
export interface BackgroundTasks {
  /** Adds file hashes, in lower case, to the blocklist. */
  readonly ban_file_sha: OrderedWork & { readonly hashes: readonly string[]; readonly details: EntryDetails }
  /** Removes file hashes, in lower case, from the blocklist. */
  readonly unban_file_sha: OrderedWork & { readonly hashes: readonly string[] }
  /** Deletes messages of an author, sorted by channel and id. */
  readonly shred_messages: OrderedWork & { readonly author: AccountId; readonly entries: readonly ShredEntry[] }
  /** Deletes an author's messages with ids up to this one. */
  readonly delete_user_messages: OrderedWork & MessagesUpTo
  /** The same as its holder scheduled it, for as long as the schedule of this instant stands. */
  readonly delete_scheduled_messages: MessagesUpTo & { readonly dueAt: Timestamp }
  /** Deletes those of an author's messages up to this id that the filter wants, and tells the author. */
  readonly delete_filtered_messages: MessagesUpTo & { readonly filter: MessageFilter }
  /** Updates the flags of accounts. */
  readonly update_user_flags: BulkWork<AccountId> & {
    readonly add: readonly string[]
    readonly remove: readonly string[]
  }
  /** Schedules the deletion of accounts. */
  readonly schedule_user_deletion: BulkWork<AccountId> & BulkDeletion
  /** Gives features to guilds and takes them away. */
  readonly update_guild_features: BulkWork<GuildId> & FeatureChanges
  /** Brings a guild back to what it was at a moment. */
  readonly rewind_guild: OrderedWork & { readonly guildId: GuildId; readonly to: Timestamp }
}
export type BackgroundTask = keyof BackgroundTasks

/** What an administrator ordered, and the credential of that request. Some jobs of earlier versions do not say it. */
export interface OrderedWork {
  readonly credential?: AdminCredential
  /** The Admin key; absent for other credentials. */
  readonly keyId?: string
  /** The administrator's, as it was then: what ends delegations ends the job. */
  readonly delegationVersion?: number
}

/** An author's messages with ids up to this one. */
export interface MessagesUpTo {
  readonly author: AccountId
  readonly upTo: MessageId
}

/** What a bulk job does, to one item after another. */
export interface BulkWork<Id extends string> extends OrderedWork {
  /** Whether the job only finds out what it would do. */
  readonly dryRun: boolean
  readonly credential: AdminCredential
  /** Of the entry in the admin audit log that sums the job up. */
  readonly summaryId: EntryId
  readonly items: readonly BulkItem<Id>[]
}

export interface BulkItem<Id extends string> {
  readonly id: Id
  /** Of its entries in the admin audit log: made with the job, so that a repeated item leaves no second entry. */
  readonly entryIds: readonly EntryId[]
}

export interface BulkDeletion {
  readonly reasonCode: number
  readonly days: number
  readonly publicReason: string | null
  readonly notifiesHolder: boolean
}

/** What an item of a bulk job came to; in a dry run, what it would come to. */
export interface ItemOutcome {
  readonly id: string
  readonly outcome: ItemResult
  /** Why it failed. */
  readonly code: string | null
}

export type ItemResult = 'changed' | 'unchanged' | 'failed'

/** A message that a job deletes. */
export interface ShredEntry {
  readonly channelId: ChannelId
  readonly messageId: MessageId
}

export type JobStatus = 'queued' | 'running' | 'succeeded' | 'cancelled' | 'deadletter'

/** A job to add. */
export interface NewBackgroundJob<Task extends BackgroundTask = BackgroundTask> {
  readonly jobId: BackgroundJobId
  readonly task: Task
  readonly work: BackgroundTasks[Task]
  /** What administrators see of the work; for long lists, only their length. */
  readonly payload: Readonly<Record<string, string | number>>
  /** How many items the job works on. */
  readonly total: number
  readonly requestedBy: AccountId
  readonly reason: string | null
  /** The ids of the job's events derive from this, so repeating a part changes nothing. */
  readonly commandId: string
  readonly cause: WorkCause
  readonly createdAt: Timestamp
}

export interface BackgroundJobRecord extends Pick<
  NewBackgroundJob,
  'jobId' | 'payload' | 'total' | 'requestedBy' | 'reason' | 'createdAt'
> {
  /** The task may belong to another version of the server. */
  readonly task: string
  readonly status: JobStatus
  /** How many items are done. */
  readonly done: number
  /** How many of the items came to what; null for a job that does not record it, or not yet. */
  readonly results: Readonly<Partial<Record<ItemResult, number>>> | null
  readonly errorMessage: string | null
  readonly startedAt: Timestamp | null
  readonly completedAt: Timestamp | null
  readonly attempts: number
  /** The time of the next attempt; null once the job has ended. */
  readonly runAt: Timestamp | null
  readonly cancelRequested: boolean
}

/** A job by what led to it. */
export interface CausedJob extends Pick<BackgroundJobRecord, 'jobId' | 'task' | 'status' | 'createdAt'> {
  readonly causationId: string
}

export interface JobSearch {
  readonly limit: number
  /** Gives jobs before this one, the last of the previous page. */
  readonly before: { readonly createdAt: Timestamp; readonly jobId: BackgroundJobId } | null
  readonly since: Timestamp
  readonly status: JobStatus | null
  readonly task: string | null
  readonly requestedBy: AccountId | null
}

/** What use cases can do with jobs. */
export interface BackgroundJobs {
  /** Resolves once the job is stored. A worker begins it within seconds. Adding the same id again does nothing. */
  add<Task extends BackgroundTask>(job: NewBackgroundJob<Task>): Promise<void>
  find(jobId: BackgroundJobId): Promise<BackgroundJobRecord | undefined>
  /** What the items of a job came to, in their order. */
  outcomes(jobId: BackgroundJobId): Promise<readonly ItemOutcome[]>
  /** The newest first. */
  list(search: JobSearch): Promise<readonly BackgroundJobRecord[]>
  /** The jobs of a request, oldest first, at most `limit`. */
  ofRequest(correlationId: string, limit: number): Promise<readonly CausedJob[]>
  /** Queued and running jobs, newest first, at most `limit`. */
  active(limit: number): Promise<readonly BackgroundJobRecord[]>
  /**
   * Cancels a job: a queued one at once, a running one after its current step. True if the job is or will be cancelled; false if
   * it ended otherwise. After true, the job never succeeds.
   */
  cancel(jobId: BackgroundJobId): Promise<boolean>
}

/** A job that a worker has taken. */
export interface BegunJob extends Pick<
  NewBackgroundJob,
  'jobId' | 'total' | 'requestedBy' | 'reason' | 'commandId' | 'cause' | 'createdAt'
> {
  readonly task: string
  /** As stored. */
  readonly work: unknown
  readonly done: number
}

/** What workers do with jobs. The queue makes sure that only one worker at a time works on a job. */
export interface BackgroundWork {
  /** Jobs that are due, at most `limit`. */
  due(limit: number): Promise<readonly BackgroundJobId[]>
  /** Takes a due job. Undefined if the job is not due, was cancelled, or has used up its attempts. */
  begin(jobId: BackgroundJobId): Promise<BegunJob | undefined>
  /**
   * Records how many items are done, and what the last of them came to. False if the job was cancelled and the worker must stop.
   */
  progress(jobId: BackgroundJobId, done: number, outcomes?: readonly ItemOutcome[]): Promise<boolean>
  /** Releases an unfinished job for the next worker. */
  pause(jobId: BackgroundJobId): Promise<void>
  succeed(jobId: BackgroundJobId): Promise<void>
  /** Ends a job whose reason has gone. */
  withdraw(jobId: BackgroundJobId): Promise<void>
  /**
   * Records a failed attempt. The job is tried again later, or given up: at once if it fails for good. `why` must hold no secret:
   * administrators see it.
   */
  fail(jobId: BackgroundJobId, why: string, options?: { readonly forGood: boolean }): Promise<void>
  /** Gives up jobs that nobody has begun for 7 days, and deletes records after 90 days. */
  sweep(): Promise<void>
}
