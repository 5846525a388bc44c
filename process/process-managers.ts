import type { Logger } from 'pino'
import { countJobs, jobQueue, type JobCounts } from '../adapters/jobs/job-queue.ts'
import { queueBackgroundJob } from '../adapters/background-jobs/queued-at-once.ts'
import { startWorker, workerConnections_max } from '../adapters/jobs/start-worker.ts'
import type { Round } from '../adapters/jobs/rounds.ts'
import type { Task, Tasks } from '../adapters/jobs/task.ts'
import { stockTiming, type JobTiming } from '../adapters/jobs/timing.ts'
import { openDatabase, requestAnswer_ms_max, type PostgresConnection } from '../adapters/postgres/database.ts'
import { runBackgroundJob, type RunningParts } from '../application/administration/jobs/run-background-job.ts'
import { startDueMessageDeletions } from '../application/administration/messages/scheduled-message-deletions.ts'
import type { JobPayloads, Jobs, StepReference } from '../application/ports/jobs.ts'
import type { Ports } from '../application/ports.ts'
import { recordLeftDeletions } from '../application/conversations/messages/record-message-deletions.ts'
import type { NotificationNeeds } from '../application/processes/apply-notification.ts'
import { readSoon } from '../application/identity/purchases/tell-store.ts'
import { eraseAccount } from '../application/processes/erase-account.ts'
import { followSandboxRules } from '../application/identity/premium/follow-sandbox-rules.ts'
import { sweepPremium } from '../application/identity/premium/sweep-premium.ts'
import { queueErasures } from '../application/processes/queue-erasures.ts'
import { pause } from '../application/concurrency/pauses.ts'
import { removeLeftoverImages } from '../application/images/remove-leftovers.ts'
import type { FinishingNeeds } from '../application/processes/finishing-needs.ts'
import { finishStep } from '../application/processes/finish-step.ts'
import { finishUnfinished } from '../application/processes/finish-unfinished.ts'
import { requestLife_ms } from '../application/processes/process-manager.ts'
import { queueUnfinished } from '../application/processes/queue-unfinished.ts'
import {
  backgroundJobPayload,
  copiesPayload,
  eraseAccountPayload,
  finishStepPayload,
  previewPayload,
} from './job-payloads.ts'
import { storeRounds, storeTasks } from './store-tasks.ts'
import type { BackgroundJobId } from '../domain/ids/ids.ts'
import { timestamp } from '../domain/kernel/timestamp.ts'
import { deliverCopies, deliverForgotten } from '../application/communities/announcements/deliver-copies.ts'
import { followSources } from '../application/communities/announcements/follow-sources.ts'
import { previewLinks } from '../application/conversations/link-previews/preview-links.ts'

export interface ProcessManagersSettings {
  readonly ports: Pick<
    Ports,
    | keyof FinishingNeeds
    | keyof NotificationNeeds
    | 'attachmentFiles'
    | 'authorMessages'
    | 'backgroundJobs'
    | 'copies'
    | 'events'
    | 'linkPreviews'
  >
  /** The Postgres with the queue. */
  readonly connection: PostgresConnection
  readonly logger: Logger
  /**
   * Whether this is the only process of the instance, and has begun nothing yet: then a dead process left everything that is
   * unfinished. The read models must hold all events.
   */
  readonly finishesFirst: boolean
  /** Steps younger than this may still be in progress. Default: `requestLife_ms`. */
  readonly olderThan_ms?: number
  /** The background work that administrators request. */
  readonly background: RunningParts
  /** For tests. */
  readonly timing?: Partial<JobTiming> & {
    readonly scan_ms?: number
    readonly erasures_ms?: number
    readonly messageDeletions_ms?: number
    readonly premium_ms?: number
    /** How often due purchases are looked for. */
    readonly stores_ms?: number
  }
}

export interface ProcessManagers {
  /** The jobs in the queue: one row for each task that has any; none before the queue was first reached. */
  jobCounts(): Promise<readonly JobCounts[]>
  /** Takes no more jobs, and resolves once the current ones are done or given up. Safe to call twice. */
  stop(): Promise<void>
}

/** Nobody waits for what these rounds find: it is minutes old, or its worker is gone. */
const scan_ms = 10_000
/** How often a worker looks for what is due. */
const erasures_ms = 60_000
const messageDeletions_ms = 600_000
const leftoverImages_ms = 24 * 3_600_000
const overdueOwners_ms = 24 * 3_600_000
/** How soon a job goes on that gave others their turn. */
const goOn_ms = 1000
const sweep_ms = 3_600_000
/** The most jobs that one scan puts into the queue. */
const background_max = 100
/** Most jobs wait for a store, for other statements or for the read models: more of them at once cost hardly more. */
export const managersJobsAtOnce = 8

/**
 * Finishes what dead processes left, by jobs of the queue, one for each step. With any number of processes, any of them may
 * find a step that is old enough, and any may finish it. A step that can't be finished yet waits for its next try without
 * delaying the others.
 *
 * If this process is the only one, everything that was begun before it is finished when this resolves: a client that repeats an
 * earlier request must find it finished, and not race with it. The queue itself starts in the background and never delays a
 * start.
 */
export async function startProcessManagers(settings: ProcessManagersSettings): Promise<ProcessManagers> {
  const { ports, connection, logger, olderThan_ms = requestLife_ms, timing = {} } = settings
  if (settings.finishesFirst) await finishAll(settings)
  const database = openDatabase(connection, {
    purpose: 'jobs',
    connections_max: workerConnections_max,
    answer_ms_max: requestAnswer_ms_max,
    onError: (error) => logger.warn({ err: error }, 'a connection of the job queue broke'),
  })
  const stopping = new AbortController()
  const jobs = jobQueue(database)
  const scan = queueUnfinished(ports.queries.unfinished, jobs)
  const queueDue = queueErasures(ports.queries.erasures, jobs)
  const startMessageDeletions = startDueMessageDeletions(ports)
  const recordDeletions = recordLeftDeletions(ports)
  const worker = startWorker({
    database,
    tasks: tasksOf(settings, { queue: jobs, stopping: stopping.signal }),
    atOnce: managersJobsAtOnce,
    rounds: [
      {
        name: 'queue_unfinished_steps',
        every_ms: timing.scan_ms ?? scan_ms,
        run: async () => void (await scan(timestamp(Date.now() - olderThan_ms))),
      },
      {
        name: 'record_left_deletions',
        every_ms: timing.scan_ms ?? scan_ms,
        run: async () => void (await recordDeletions(timestamp(Date.now() - olderThan_ms))),
      },
      {
        name: 'queue_due_erasures',
        every_ms: timing.erasures_ms ?? erasures_ms,
        run: async () => void (await queueDue(timestamp(Date.now()))),
      },
      {
        name: 'start_due_message_deletions',
        every_ms: timing.messageDeletions_ms ?? messageDeletions_ms,
        run: async () => void (await startMessageDeletions(timestamp(Date.now()))),
      },
      { name: 'end_expired_premium', every_ms: timing.premium_ms ?? sweep_ms, run: () => endPremium(settings) },
      ...storeRounds(settings, timing.stores_ms),
      { name: 'remove_leftover_images', every_ms: leftoverImages_ms, run: () => removeLeftovers(settings) },
      { name: 'sweep_erasure_notes', every_ms: sweep_ms, run: () => ports.erasureNotes.sweep() },
      { name: 'count_overdue_owners', every_ms: overdueOwners_ms, run: () => tellOfOverdueOwners(settings) },
      ...backgroundRounds(settings, jobs),
    ],
    logger,
    timing: { ...stockTiming, ...timing },
  })
  let stopped: Promise<void> | undefined
  return {
    jobCounts: () => (worker.hasQueue ? countJobs(database) : Promise.resolve([])),
    stop() {
      stopping.abort()
      return (stopped ??= worker.stop().then(() => database.close()))
    },
  }
}

interface Queueing {
  readonly queue: Jobs
  readonly stopping: AbortSignal
}

function tasksOf(settings: ProcessManagersSettings, { queue, stopping }: Queueing): Tasks<JobPayloads> {
  const { ports, logger, background, olderThan_ms } = settings
  const finish = finishStep(ports)
  const erase = eraseAccount(ports)
  const runJob = runBackgroundJob(background)
  const preview = previewLinks(ports)
  const deliver = deliverCopies(ports)
  const finishing: Task<StepReference> = {
    payload: finishStepPayload,
    run: async (step, { signal }) => {
      const limits = { signal, ...(olderThan_ms === undefined ? {} : { requestLife_ms: olderThan_ms }) }
      const isFinished = await finish(step, timestamp(Date.now()), limits)
      if (isFinished) logger.info({ process: step.process }, 'finished a step that an earlier process had begun')
    },
  }
  return {
    finish_step: finishing,
    finish_authored_messages: finishing,
    erase_account: {
      payload: eraseAccountPayload,
      run: async ({ accountId }) => {
        if (await erase(accountId, timestamp(Date.now()))) logger.info({ accountId }, 'erased an account')
      },
    },
    background_job: {
      payload: backgroundJobPayload,
      run: async ({ jobId }, { signal }) => {
        if ((await runJob(jobId, signal)) === 'paused') void goOn(queue, jobId, stopping)
      },
    },
    preview_links: {
      payload: previewPayload,
      run: (wanted, { signal }) => preview(wanted, signal),
    },
    deliver_copies: {
      payload: copiesPayload,
      run: (wanted, { signal }) => deliver(wanted, signal),
    },
    ...storeTasks(settings),
  }
}

/** The queue takes a key again once its job has ended. If it has not by then, the round finds the job. */
async function goOn(queue: Jobs, jobId: BackgroundJobId, stopping: AbortSignal): Promise<void> {
  await pause(goOn_ms, stopping)
  if (!stopping.aborted) await queueBackgroundJob(queue, jobId).catch(() => undefined)
}

async function removeLeftovers({ ports, logger }: ProcessManagersSettings): Promise<void> {
  const images = await removeLeftoverImages(ports)(timestamp(Date.now()))
  if (images > 0) logger.info({ images }, 'removed images that nothing refers to')
}

async function endPremium({ ports, logger }: ProcessManagersSettings): Promise<void> {
  const requestRead = ({ purchase }: { readonly purchase: string }): Promise<void> => readSoon(ports, purchase)
  const now = timestamp(Date.now())
  const followed = await followSandboxRules(ports)(now)
  if (followed > 0) logger.info({ accounts: followed }, 'computed premium again by who may use test purchases')
  const accounts = await sweepPremium(ports, requestRead)(now)
  if (accounts > 0) logger.info({ accounts }, 'ended premium that was over')
}

/** A holder who asked for the deletion is erased only after each owned guild has another owner, or is deleted. */
async function tellOfOverdueOwners({ ports, logger }: ProcessManagersSettings): Promise<void> {
  const accounts = await ports.queries.erasures.overdueOwners(timestamp(Date.now()))
  if (accounts > 0) logger.warn({ accounts }, 'accounts cannot be deleted although it is due: they own guilds')
}

/** The records decide what there is to do. The queue only carries it, one job for each key at a time. */
function backgroundRounds({ ports, background, timing }: ProcessManagersSettings, queue: Jobs): readonly Round[] {
  return [
    {
      name: 'follow_published_messages',
      every_ms: timing?.scan_ms ?? scan_ms,
      run: async () => {
        await deliverForgotten(ports)()
        await followSources(ports)(timestamp(Date.now()))
      },
    },
    {
      name: 'queue_background_jobs',
      every_ms: timing?.scan_ms ?? scan_ms,
      run: async () => {
        for (const jobId of await background.work.due(background_max)) await queueBackgroundJob(queue, jobId)
      },
    },
    { name: 'sweep_background_jobs', every_ms: sweep_ms, run: () => background.work.sweep() },
  ]
}

/** So late that steps begun by a clock that was later set back count as old, too. */
const endOfTime = timestamp(Date.UTC(9999, 11, 31))

async function finishAll({ ports, logger }: ProcessManagersSettings): Promise<void> {
  const now = timestamp(Date.now())
  try {
    await recordLeftDeletions(ports)(endOfTime)
  } catch (error) {
    logger.error({ err: error }, 'deletions of messages could not be recorded yet')
  }
  try {
    const { finished, failures } = await finishUnfinished(ports)(endOfTime, now)
    if (finished > 0) logger.info({ finished }, 'finished steps that an earlier process had begun')
    for (const { step, error } of failures)
      // Not by its key, which may be somebody's tag.
      logger.error({ err: error, process: step.process, eventId: step.eventId }, 'a step could not be finished yet')
  } catch (error) {
    logger.error({ err: error }, 'unfinished steps could not be looked up')
  }
}
