import { postgresBackgroundJobs } from '../../adapters/background-jobs/postgres-background-jobs.ts'
import { queuedAtOnce } from '../../adapters/background-jobs/queued-at-once.ts'
import { inProcessDeferredTasks } from '../../adapters/jobs/in-process-deferred-tasks.ts'
import { postgresDiscoveryClaims } from '../../adapters/discovery-claims/postgres-discovery-claims.ts'
import { hearBreakingConnections } from '../../adapters/jobs/breaking-connections.ts'
import { jobQueue } from '../../adapters/jobs/job-queue.ts'
import { layQueue } from '../../adapters/jobs/lay-queue.ts'
import { openMail, type OpenMail } from '../../adapters/mail/open-mail.ts'
import { openOutbox } from '../../adapters/mail/outbox.ts'
import { postgresErasureNotes } from '../../adapters/erasure-notes/postgres-erasure-notes.ts'
import { openDatabase, requestAnswer_ms_max } from '../../adapters/postgres/database.ts'
import { openPostgresSessionActivity } from '../../adapters/sessions/postgres-session-activity.ts'
import { openStartedSessions } from '../../adapters/sessions/postgres-started-sessions.ts'
import { openPostgresTickets } from '../../adapters/tickets/postgres-tickets.ts'
import type { Ports } from '../../application/ports.ts'
import type { Base } from './base.ts'

/** Data outside history, in Postgres beside it: tickets, mails, when sessions were used, and work that no answer waits for. */
export type BesideHistory = Pick<
  Ports,
  | 'tickets'
  | 'mail'
  | 'sessionActivity'
  | 'startedSessions'
  | 'deferred'
  | 'backgroundJobs'
  | 'discoveryClaims'
  | 'erasureNotes'
  | 'jobs'
>

/** `publicUrl` is called when a mail is written. */
export async function openBesideHistory(base: Base, publicUrl: () => string): Promise<BesideHistory> {
  const { options, closings, onError, database } = base
  const { personalDataKey } = options
  const sessionActivity = openPostgresSessionActivity({ database, onError })
  closings.add(() => sessionActivity.close())
  const tickets = openPostgresTickets({ database, personalDataKey, onError })
  closings.add(async () => tickets.close())
  const mail = await openMailIn(base, publicUrl)
  closings.add(() => mail.close())
  const deferred = inProcessDeferredTasks(onError)
  closings.add(() => deferred.close())
  // Notifications of stores go into the queue before they are answered.
  if (options.settings.hosted) await layQueueFor(options, onError)
  const startedSessions = openStartedSessions(database)
  const jobs = jobQueue(database)
  return {
    tickets,
    mail,
    sessionActivity,
    startedSessions,
    deferred,
    backgroundJobs: queuedAtOnce(postgresBackgroundJobs(database), jobs),
    discoveryClaims: postgresDiscoveryClaims(database),
    erasureNotes: postgresErasureNotes(database, personalDataKey),
    jobs,
  }
}

/** A worker sends these mails: the queue must exist before the first job. */
async function openMailIn({ options, database, onError }: Base, publicUrl: () => string): Promise<OpenMail> {
  const { settings, personalDataKey } = options
  const canSend = settings.smtp !== undefined
  if (canSend) await layQueueFor(options, onError)
  return openMail({
    outbox: openOutbox(database, personalDataKey, jobQueue),
    canSend,
    instance: () => ({ serviceName: settings.serviceName, webappUrl: settings.webappUrl ?? publicUrl() }),
    onError,
  })
}

async function layQueueFor({ connection, logger }: Base['options'], onError: Base['onError']): Promise<void> {
  const database = openDatabase(connection, {
    purpose: 'jobs',
    connections_max: 2,
    answer_ms_max: requestAnswer_ms_max,
    onError,
  })
  hearBreakingConnections(database, logger)
  try {
    await layQueue(database, logger)
  } finally {
    await database.close()
  }
}
