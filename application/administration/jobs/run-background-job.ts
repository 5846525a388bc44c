import type { BackgroundJobId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { commandContext, type CommandContext } from '../../commands/command-context.ts'
import { deriveId } from '../../commands/derive-id.ts'
import type { BackgroundWork, BegunJob, ItemOutcome } from '../../ports/background-jobs.ts'

/** One kind of job. */
export interface BackgroundTaskWork {
  /** The number of items between two checks for cancellation. */
  readonly chunk: number
  /** Whether a job that failed is given up at once. A job whose worker died continues either way. */
  readonly failsForGood?: boolean
  /** Whether there is still a reason for the job. Called before each part; if not, the job ends as cancelled. */
  hasReason?(job: BegunJob, now: Timestamp): Promise<boolean>
  /**
   * Processes the items from one index up to, but not including, another. It may run more than once for the same items. Returns
   * what each came to, if the job records that.
   */
  run(job: BegunJob, from: number, to: number, context: CommandContext): Promise<readonly ItemOutcome[] | void>
  /** Called once all items are done. It may run more than once. */
  finish?(job: BegunJob, context: CommandContext): Promise<void>
}

export interface RunningParts {
  readonly work: BackgroundWork
  readonly tasks: Readonly<Record<string, BackgroundTaskWork>>
  readonly now: () => Timestamp
  /** For tests. Default: `turn_ms_max`. */
  readonly turn_ms_max?: number | undefined
}

/** A job that takes longer is paused, so that others get their turn and no worker keeps it too long. */
export const turn_ms_max = 20_000

/**
 * Runs a job, or a part of it, and records the outcome. The next worker continues from there; 'paused' says that one should soon.
 * Rejects if the record can't be written.
 */
export function runBackgroundJob(parts: RunningParts) {
  return async (jobId: BackgroundJobId, signal: AbortSignal): Promise<'paused' | undefined> => {
    const job = await parts.work.begin(jobId)
    if (!job) return undefined
    try {
      return await runTurn(parts, job, signal)
    } catch (error) {
      // A worker that must stop leaves the job as it is; that counts as an attempt.
      if (signal.aborted) throw error
      const forGood = parts.tasks[job.task]?.failsForGood ?? false
      await parts.work.fail(jobId, error instanceof Error ? error.name : 'Error', { forGood })
      throw error
    }
  }
}

async function runTurn(
  { work, tasks, now, turn_ms_max: own_ms_max = turn_ms_max }: RunningParts,
  job: BegunJob,
  signal: AbortSignal,
): Promise<'paused' | undefined> {
  const task = tasks[job.task]
  if (!task) throw new UnknownTask(job.task)
  const began_ms = performance.now()
  for (let from = job.done; from < job.total; from += task.chunk) {
    signal.throwIfAborted()
    if (performance.now() - began_ms > own_ms_max) {
      await work.pause(job.jobId)
      return 'paused'
    }
    if (task.hasReason && !(await task.hasReason(job, now()))) {
      await work.withdraw(job.jobId)
      return undefined
    }
    const to = Math.min(from + task.chunk, job.total)
    const outcomes = await task.run(job, from, to, contextOf(job, `things from ${from}`, now()))
    if (!(await work.progress(job.jobId, to, outcomes ?? []))) return undefined
  }
  await task.finish?.(job, contextOf(job, 'the end', now()))
  await work.succeed(job.jobId)
  return undefined
}

/** A task of another version of the server. */
class UnknownTask extends Error {
  override readonly name = 'UnknownTask'
}

/** The actor is the administrator who asked for the job. What it does belongs to the chain of that request. */
function contextOf({ commandId, cause, requestedBy, reason }: BegunJob, part: string, now: Timestamp): CommandContext {
  return commandContext({
    commandId: deriveId(commandId, part),
    ...cause,
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
  throw new Error(`A background job must not make a new ${what}: its events derive from its stored work`)
}
