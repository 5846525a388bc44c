import type { BackgroundJobId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import { commandContext, type CommandContext } from '../../commands/command-context.js'
import { deriveId } from '../../commands/derive-id.js'
import type { BackgroundWork, BegunJob } from '../../ports/background-jobs.js'

/** One kind of job. */
export interface BackgroundTaskWork {
  /** So many things are done between two looks at whether the job was cancelled. */
  readonly chunk: number
  /** Does the things from one number up to but not including another. It may be done more than once. */
  run(job: BegunJob, from: number, to: number, context: CommandContext): Promise<void>
}

export interface RunningParts {
  readonly work: BackgroundWork
  readonly tasks: Readonly<Record<string, BackgroundTaskWork>>
  readonly now: () => Timestamp
}

/** A job that takes longer is laid aside, so that others get their turn and no worker holds it for too long. */
export const turn_ms_max = 20_000

/**
 * Does a job, or a part of it, and says what becomes of it. Whoever takes it next goes on where this one was. Rejects where
 * the record can't be written.
 */
export function runBackgroundJob(parts: RunningParts) {
  return async (jobId: BackgroundJobId, signal: AbortSignal): Promise<void> => {
    const job = await parts.work.begin(jobId)
    if (!job) return
    try {
      await runTurn(parts, job, signal)
    } catch (error) {
      // A worker that has to stop leaves the job as it is: that was a try.
      if (signal.aborted) throw error
      await parts.work.fail(jobId, error instanceof Error ? error.name : 'Error')
      throw error
    }
  }
}

async function runTurn({ work, tasks, now }: RunningParts, job: BegunJob, signal: AbortSignal): Promise<void> {
  const task = tasks[job.task]
  if (!task) throw new UnknownTask(job.task)
  const began_ms = performance.now()
  for (let from = job.done; from < job.total; from += task.chunk) {
    signal.throwIfAborted()
    if (performance.now() - began_ms > turn_ms_max) return work.pause(job.jobId)
    const to = Math.min(from + task.chunk, job.total)
    await task.run(job, from, to, contextOf(job, from, now()))
    if (!(await work.progress(job.jobId, to))) return
  }
  await work.succeed(job.jobId)
}

/** A job of another version of the server. */
class UnknownTask extends Error {
  override readonly name = 'UnknownTask'
}

/** Whoever asked for the job is who does it. */
function contextOf({ commandId, requestedBy, reason }: BegunJob, from: number, now: Timestamp): CommandContext {
  return commandContext({
    commandId: deriveId(commandId, `things from ${from}`),
    correlationId: commandId,
    causationId: commandId,
    actor: { kind: 'account', id: requestedBy },
    reason: reason ?? undefined,
    now,
    mayRepeat: true,
    isKeyed: false,
    newId: () => madeUp('id'),
    randomBytes: () => madeUp('randomness'),
  })
}

function madeUp(what: string): never {
  throw new Error(`A job needs no new ${what}: its events follow from what it was told`)
}
