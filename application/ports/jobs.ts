import type { AccountId, BackgroundJobId } from '../../domain/ids/ids.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'
import type { UnfinishedStep } from './queries/unfinished-queries.js'

/** Names one unfinished step. A key alone would not do: a tag that was freed may be claimed anew, under the same key. */
export type StepReference = Pick<UnfinishedStep, 'process' | 'key' | 'eventId'>

/** What each task is told. The names are stored with the jobs: a task is not renamed while jobs of it may be waiting. */
export interface JobPayloads {
  /** Finishes one step that a dead process left. */
  readonly finish_step: StepReference
  /** Erases an account whose deletion is due. */
  readonly erase_account: { readonly accountId: AccountId }
  /** Goes on with a job of an administrator. */
  readonly background_job: { readonly jobId: BackgroundJobId }
}

/** As `JobPayloads`, of the worker that sends mails: however slow a mail server is, other jobs don't wait for it. */
export interface MailJobPayloads {
  /** Hands a mail that waits to the mail server: its number in mail.outbox. */
  readonly send_mail: { readonly mail: string }
}

/** A payload as JSON. Jobs name what they are about; they don't carry it. */
export const payload_bytes_max = 65_536
export const jobKey_chars_max = 512

export interface JobWishes {
  /** Adding does nothing while a job of this key waits, is at work, or has failed for good; after success the key is free. */
  readonly key?: string
  /** Not before this instant; at once otherwise. */
  readonly runAt?: Timestamp
}

/**
 * Work that some worker does later, in this process or another. Each job is done at least once, by one worker at a time, also
 * where the one that began it dies; so what it does has to bear being done again. Failures are tried again, later each time.
 */
export interface Jobs<Payloads = JobPayloads> {
  /**
   * Resolves once the job is stored. Rejects with JobRefused where the payload has more than `payload_bytes_max` or is not a
   * JSON object, or where the key is empty or has more than `jobKey_chars_max`.
   */
  add<Task extends keyof Payloads & string>(task: Task, payload: Payloads[Task], wishes?: JobWishes): Promise<void>
}

/** A job that cannot be stored as it is. */
export class JobRefused extends Error {
  override readonly name = 'JobRefused'
}
