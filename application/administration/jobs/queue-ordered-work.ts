import { backgroundJobId, type BackgroundJobId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { causeOf } from '../../commands/command-context.ts'
import type { BackgroundTask, NewBackgroundJob } from '../../ports/background-jobs.ts'
import type { Ports } from '../../ports.ts'

/** What a job does, and how much of it there is. */
type NewWork<Task extends BackgroundTask> = Pick<NewBackgroundJob<Task>, 'task' | 'work' | 'payload' | 'total'>

/** Queues a job that the caller asks for, with the reason of its request. Gives the job. */
export async function queueOrderedWork<Task extends BackgroundTask>(
  { backgroundJobs }: Pick<Ports, 'backgroundJobs'>,
  { account, context }: Pick<Caller, 'account' | 'context'>,
  job: NewWork<Task>,
): Promise<BackgroundJobId> {
  const jobId = backgroundJobId(context.newId())
  await backgroundJobs.add({
    ...job,
    jobId,
    requestedBy: account.id,
    reason: context.reason ?? null,
    commandId: context.commandId,
    cause: causeOf(context),
    createdAt: context.now,
  })
  return jobId
}
