import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { onTestFinished, vi } from 'vitest'
import { hearBreakingConnections } from '../../../adapters/jobs/breaking-connections.ts'
import { jobQueue } from '../../../adapters/jobs/job-queue.ts'
import { layQueue } from '../../../adapters/jobs/lay-queue.ts'
import { openMail, type OpenMail } from '../../../adapters/mail/open-mail.ts'
import { openOutbox, type Outbox } from '../../../adapters/mail/outbox.ts'
import type { Undelivered } from '../../../adapters/mail/send-mail.ts'
import type { SmtpSettings } from '../../../adapters/mail/smtp.ts'
import { startMailSending, type MailSendingSettings } from '../../../process/mail-sending.ts'
import type { WorkCause } from '../../../application/commands/command-context.ts'
import type { LetterOf } from '../../../application/ports/mail.ts'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { startMailServer, type MailServer } from '../../support/mail-server.ts'
import { laidDatabase, type TestDatabase } from '../../support/test-database.ts'
import { patience_ms } from '../../support/pace.ts'

const personalDataKey = randomBytes(32)

/** Closes something after the test, before the things that it depends on. */
export function closeLater(close: () => Promise<void>): void {
  onTestFinished(close)
}

/** Waits until an expectation holds, on a machine that may be busy. */
export function eventually(expectation: () => unknown): Promise<unknown> {
  return vi.waitFor(expectation, { timeout: patience_ms, interval: 20 })
}

export type ProcessWishes = Partial<
  Pick<MailSendingSettings, 'onRefusedRecipient' | 'firstRetry_ms' | 'closing_ms_max' | 'timing'>
>

export interface MailTest extends TestDatabase {
  readonly server: MailServer
  /** What the senders reported. */
  readonly undelivered: readonly Undelivered[]
  /** The addresses that the senders reported as permanently refused. */
  readonly refused: readonly string[]
  /** The logged warnings and errors, and the errors that parts reported. */
  readonly errors: readonly unknown[]
  /** A process that writes mails and sends them; closed after the test at the latest. */
  process(wishes?: ProcessWishes, smtp?: Partial<SmtpSettings>): Promise<OpenMail>
  /** A process without a mail server; closed after the test. */
  keeper(): Promise<OpenMail>
  /** It notifies no worker of new letters. */
  readonly outbox: Outbox
  rows(): Promise<readonly Record<string, unknown>[]>
  /** Every byte of the tables, as text. */
  allBytes(): Promise<string>
}

const instance = () => ({ serviceName: 'guildhall', webappUrl: 'https://chat.example.com' })

/** A database with a queue, a mail server, and processes that look for jobs every few milliseconds. */
export async function mailTest(): Promise<MailTest> {
  const test = await laidDatabase()
  closeLater(() => test.close())
  const server = await startMailServer()
  closeLater(() => server.close())
  const undelivered: Undelivered[] = []
  const refused: string[] = []
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const logger = pino({ level: 'warn' }, { write: onError })
  hearBreakingConnections(test.database, logger)
  await layQueue(test.database, logger)
  async function opened(canSend: boolean): Promise<OpenMail> {
    const outbox = openOutbox(test.database, personalDataKey, jobQueue)
    return openMail({ outbox, canSend, instance, onError })
  }
  const rows = async (): Promise<readonly Record<string, unknown>[]> =>
    (await test.database.pool.query<Record<string, unknown>>('select * from mail.outbox order by id')).rows
  return {
    ...test,
    server,
    undelivered,
    refused,
    errors,
    rows,
    outbox: openOutbox(test.database, personalDataKey),
    async process({ timing = {}, ...wishes } = {}, smtp = {}) {
      const mail = await opened(true)
      const sending = await startMailSending({
        connection: test.connection,
        personalDataKey,
        smtp: { url: server.url, from: { name: 'Chat', address: 'chat@example.com' }, ...smtp },
        logger,
        onRefusedRecipient: async (address) => void refused.push(address),
        onUndelivered: (failure) => void undelivered.push(failure),
        firstRetry_ms: 1,
        timing: { poll_ms: 20, ...timing },
        ...wishes,
      })
      const close = async (): Promise<void> => {
        await sending.stop()
        await mail.close()
      }
      closeLater(close)
      return { ...mail, close }
    },
    async keeper() {
      const mail = await opened(false)
      closeLater(() => mail.close())
      return mail
    },
    async allBytes() {
      return (await rows())
        .flatMap((row) => Object.values(row))
        .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
        .join('\n')
    },
  }
}

export const adaId = accountId(snowflake('1'))

/** The fields that identify a letter about Ada. */
const cause: WorkCause = { correlationId: 'request', causationId: 'command', operation: 'Forgot password' }

export const about = (key: string) => ({ key, accountId: adaId, template: 'password_reset', cause }) as const

let letters = 0

/** A new letter. */
export function resetLetter(members: Partial<LetterOf<'password_reset'>> = {}): LetterOf<'password_reset'> {
  letters += 1
  return {
    accountId: adaId,
    to: 'ada@example.com',
    template: 'password_reset',
    values: { username: 'ada', token: `CANARY${letters}` },
    locale: 'en-US',
    key: `letter ${letters}`,
    cause,
    ...members,
  }
}
