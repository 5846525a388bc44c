import type { EntryDetails } from '../../domain/blocklist-entry/events.js'
import type { AccountId, BackgroundJobId } from '../../domain/ids/ids.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'

/**
 * Work that an administrator asks for and does not wait for, with a record that tells how far it is (reference stores 4.11).
 * The records are no history: they are kept for some 90 days, beside the events of what the jobs did.
 */

/** What each task works on. The names are stored with the jobs, and stay. */
export interface BackgroundTasks {
  /** Lists hashes of files, in lower case. */
  readonly ban_file_sha: { readonly hashes: readonly string[]; readonly details: EntryDetails }
}
export type BackgroundTask = keyof BackgroundTasks

export const jobStatuses = ['queued', 'running', 'succeeded', 'cancelled', 'deadletter'] as const
export type JobStatus = (typeof jobStatuses)[number]

/** A job is given up after so many tries. */
export const jobAttempts_max = 8

/** A job that is asked for. */
export interface NewBackgroundJob<Task extends BackgroundTask = BackgroundTask> {
  readonly jobId: BackgroundJobId
  readonly task: Task
  readonly work: BackgroundTasks[Task]
  /** What administrators are shown of the work: of long lists how long they are. */
  readonly payload: Readonly<Record<string, string | number>>
  /** How many things there are to do. */
  readonly total: number
  readonly requestedBy: AccountId
  readonly reason: string | null
  /** What the ids of the events of the job follow from, so that doing a part again does nothing. */
  readonly commandId: string
  readonly createdAt: Timestamp
}

export interface BackgroundJobRecord extends Pick<
  NewBackgroundJob,
  'jobId' | 'payload' | 'total' | 'requestedBy' | 'reason' | 'createdAt'
> {
  /** May be one of another version of the server. */
  readonly task: string
  readonly status: JobStatus
  /** How many things are done. */
  readonly done: number
  readonly errorMessage: string | null
  readonly startedAt: Timestamp | null
  readonly completedAt: Timestamp | null
  readonly attempts: number
  /** When it is tried next; null once it has ended. */
  readonly runAt: Timestamp | null
  readonly cancelRequested: boolean
}

export interface JobSearch {
  readonly limit: number
  /** Jobs before this one, which the page before ended with. */
  readonly before: { readonly createdAt: Timestamp; readonly jobId: BackgroundJobId } | null
  readonly since: Timestamp
  readonly status: JobStatus | null
  readonly task: string | null
  readonly requestedBy: AccountId | null
}

/** What use cases do with jobs. */
export interface BackgroundJobs {
  /** Resolves once the job is stored; some worker begins it within seconds. A second time for the same id does nothing. */
  add<Task extends BackgroundTask>(job: NewBackgroundJob<Task>): Promise<void>
  find(jobId: BackgroundJobId): Promise<BackgroundJobRecord | undefined>
  /** The newest first. */
  list(search: JobSearch): Promise<readonly BackgroundJobRecord[]>
  /** Those that are queued or running, the newest first, at most `limit`. */
  active(limit: number): Promise<readonly BackgroundJobRecord[]>
  /**
   * Cancels a job: one that is queued at once, one that is running after what it is at. Whether it is or will be cancelled;
   * false where it has ended otherwise. A job of which this said true never succeeds.
   */
  cancel(jobId: BackgroundJobId): Promise<boolean>
}

/** A job that a worker has taken. */
export interface BegunJob extends Pick<
  NewBackgroundJob,
  'jobId' | 'total' | 'requestedBy' | 'reason' | 'commandId' | 'createdAt'
> {
  readonly task: string
  /** As it was stored. */
  readonly work: unknown
  readonly done: number
}

/** What workers do with jobs. One worker at a time is at one job: the queue sees to that. */
export interface BackgroundWork {
  /** Jobs whose time has come, at most `limit`. */
  due(limit: number): Promise<readonly BackgroundJobId[]>
  /** Takes a job that is due; undefined where it is not, was cancelled, or has been tried too often. */
  begin(jobId: BackgroundJobId): Promise<BegunJob | undefined>
  /** Says how many things are done. False where the worker has to stop: the job was cancelled. */
  progress(jobId: BackgroundJobId, done: number): Promise<boolean>
  /** Leaves a job that is not over to whoever takes it next. */
  pause(jobId: BackgroundJobId): Promise<void>
  succeed(jobId: BackgroundJobId): Promise<void>
  /** Says that a try failed: the job is tried again later, or given up. `why` holds no secret: administrators are shown it. */
  fail(jobId: BackgroundJobId, why: string): Promise<void>
  /** Gives up what nobody has begun for 7 days, and forgets records after 90 days. */
  sweep(): Promise<void>
}
