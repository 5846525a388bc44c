import type { AccountId, BackgroundJobId, ChannelId, MessageId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { UnfinishedStep } from './queries/unfinished-queries.ts'
import type { MessageAudience } from './messages.ts'

/** Names one unfinished step. The key alone is not enough: a tag that was freed may be claimed again under the same key. */
export type StepReference = Pick<UnfinishedStep, 'process' | 'key' | 'eventId'>

/** The payload of each task. The names are stored with the jobs: never rename a task while its jobs may be waiting. */
export interface JobPayloads {
  /** Finishes one step that a dead process left unfinished. */
  readonly finish_step: StepReference
  /** The same for the messages of an erased account. Workers that do not know this step leave its jobs alone. */
  readonly finish_authored_messages: StepReference
  /** Erases an account whose deletion is due. */
  readonly erase_account: { readonly accountId: AccountId }
  /** Continues an administrator's background job. */
  readonly background_job: { readonly jobId: BackgroundJobId }
  /** Applies a notification of a store, which is sealed: it names a purchase. */
  readonly store_notification: { readonly sealed: string; readonly id: string; readonly failures: number }
  /** Shows what the pages say that a message links to. */
  readonly preview_links: {
    readonly channelId: ChannelId
    readonly messageId: MessageId
    readonly audience: MessageAudience
  }
  /** Copies a published message into the channels that follow. */
  readonly deliver_copies: { readonly messageId: MessageId }
  /** Reads a purchase from its store again. */
  readonly read_purchase: { readonly purchase: string }
  /** Asks a store for what this service may have missed in the last two days. */
  readonly reconcile_store: { readonly what: 'voided purchases' | 'notification history' }
}

/** The same for the worker that sends mails. It is separate, so that a slow mail server does not delay other jobs. */
export interface MailJobPayloads {
  /** Sends a waiting mail; the number in mail.outbox. */
  readonly send_mail: { readonly mail: string }
}

export interface JobWishes {
  /** Adding does nothing while a job with this key waits, runs, or has failed for good. After success the key is free. */
  readonly key?: string
  /** Earliest start; at once by default. */
  readonly runAt?: Timestamp
}

/**
 * Work that some worker does later, in this process or another. Each job runs at least once, by one worker at a time, even if the
 * worker that began it dies. So its work must be safe to repeat. Failed jobs are tried again, later each time.
 */
export interface Jobs<Payloads = JobPayloads> {
  /**
   * Resolves once the job is stored. Rejects with JobRefused if the payload has more than `payload_bytes_max` or is not a JSON
   * object, or if the key is empty or has more than `jobKey_chars_max`.
   */
  add<Task extends keyof Payloads & string>(task: Task, payload: Payloads[Task], wishes?: JobWishes): Promise<void>
}
