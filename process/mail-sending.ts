import type { Logger } from 'pino'
import { z } from 'zod'
import { jobQueue } from '../adapters/jobs/job-queue.ts'
import { startWorker, workerConnections_max } from '../adapters/jobs/start-worker.ts'
import { stockTiming, type JobTiming } from '../adapters/jobs/timing.ts'
import { openOutbox } from '../adapters/mail/outbox.ts'
import { sendMail, type SendMailSettings } from '../adapters/mail/send-mail.ts'
import { smtpDelivery, type SmtpSettings } from '../adapters/mail/smtp.ts'
import { openDatabase, requestAnswer_ms_max, type PostgresConnection } from '../adapters/postgres/database.ts'

export interface MailSendingSettings extends Pick<
  SendMailSettings,
  'onUndelivered' | 'onRefusedRecipient' | 'firstRetry_ms'
> {
  /** The Postgres with the outbox and the queue. */
  readonly connection: PostgresConnection
  /** The 32 bytes of PERSONAL_DATA_KEY, which seal the mails. */
  readonly personalDataKey: Uint8Array
  readonly smtp: SmtpSettings
  readonly logger: Logger
  /** How long `stop` waits for mails that are being sent, before it aborts them. */
  readonly closing_ms_max?: number
  /** For tests. */
  readonly timing?: Partial<JobTiming> & { readonly overdue_ms?: number }
}

/** Sends the mails of the outbox. */
export interface MailSending {
  /** Waits for the mails that are being sent, and aborts them after `closing_ms_max`. The rest stays in the outbox. */
  stop(): Promise<void>
}

const overdue_ms = 60_000
const closing_ms_max = 5000
/** A mail may take a minute, and then its outcome has to be written down. */
const mailTiming: JobTiming = { ...stockTiming, start_ms: 0, run_ms_max: 80_000 }

const payload = z.strictObject({ mail: z.string().regex(/^\d+$/) })

/**
 * Starts a worker of the queue for mails alone, so that other jobs continue while a mail server hangs. It sends `jobsAtOnce`
 * mails at once.
 */
export async function startMailSending(settings: MailSendingSettings): Promise<MailSending> {
  const { connection, personalDataKey, smtp, logger, timing = {} } = settings
  const database = openDatabase(connection, {
    purpose: 'mail',
    connections_max: workerConnections_max,
    answer_ms_max: requestAnswer_ms_max,
    onError: (error) => logger.warn({ err: error }, 'a connection of the mail worker broke'),
  })
  const outbox = openOutbox(database, personalDataKey, jobQueue)
  const send = sendMail({ ...settings, outbox, deliver: smtpDelivery(smtp) })
  const ending = new AbortController()
  const worker = startWorker({
    database,
    tasks: {
      send_mail: { payload, run: ({ mail }, { signal }) => send(mail, AbortSignal.any([signal, ending.signal])) },
    },
    rounds: [
      {
        name: 'queue_overdue_mails',
        every_ms: timing.overdue_ms ?? overdue_ms,
        run: () => outbox.queueOverdue(),
      },
    ],
    logger,
    timing: { ...mailTiming, ...timing },
  })
  let stopped: Promise<void> | undefined
  async function stop(): Promise<void> {
    const late = setTimeout(() => ending.abort(), settings.closing_ms_max ?? closing_ms_max)
    await worker.stop()
    clearTimeout(late)
    await database.close()
  }
  return { stop: () => (stopped ??= stop()) }
}
