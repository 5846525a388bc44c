import type { AccountId, BackgroundJobId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { BackgroundJobs, CausedJob } from '../../ports/background-jobs.ts'
import type { CausedMail, Mail } from '../../ports/mail.ts'

/** A background job that a request asked for, or that became due by one. */
export interface ExplainedJobObject {
  readonly id: BackgroundJobId
  readonly correlation_id: string
  readonly causation_id: string
  readonly task_type: string
  readonly status: CausedJob['status']
  readonly at: Timestamp
}

/** A mail that a request led to, without its text. */
export interface ExplainedMailObject {
  readonly id: string
  readonly correlation_id: string
  readonly causation_id: string
  /** Null once its account is erased. */
  readonly template: string | null
  readonly account_id: AccountId
  readonly state: CausedMail['state']
  readonly at: Timestamp
}

/** What followed from a request beside history. */
export interface ExplainedWork {
  readonly jobs: readonly ExplainedJobObject[]
  readonly mails: readonly ExplainedMailObject[]
}

export interface WorkNeeds {
  readonly backgroundJobs: Pick<BackgroundJobs, 'ofRequest'>
  readonly mail: Pick<Mail, 'ofRequest'>
}

/** The jobs and mails of a request, oldest first, at most `limit` of each. */
export async function explainedWork(
  { backgroundJobs, mail }: WorkNeeds,
  correlationId: string,
  limit: number,
): Promise<ExplainedWork> {
  const [jobs, mails] = await Promise.all([
    backgroundJobs.ofRequest(correlationId, limit),
    mail.ofRequest(correlationId, limit),
  ])
  return {
    jobs: jobs.map(({ jobId, causationId, task, status, createdAt }) => ({
      id: jobId,
      correlation_id: correlationId,
      causation_id: causationId,
      task_type: task,
      status,
      at: createdAt,
    })),
    mails: mails.map(({ id, causationId, template, accountId, state, createdAt }) => ({
      id,
      correlation_id: correlationId,
      causation_id: causationId,
      template,
      account_id: accountId,
      state,
      at: createdAt,
    })),
  }
}
