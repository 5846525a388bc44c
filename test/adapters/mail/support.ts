import { randomBytes } from 'node:crypto'
import { afterEach, vi } from 'vitest'
import { openMail, type MailSettings, type OpenMail } from '../../../adapters/mail/open-mail.js'
import { openOutbox, type Outbox } from '../../../adapters/mail/outbox.js'
import type { Undelivered } from '../../../adapters/mail/sender.js'
import type { LetterOf } from '../../../application/ports/mail.js'
import { startMailServer, type MailServer } from '../../support/mail-server.js'
import { testDatabase, type TestDatabase } from '../../support/test-database.js'

const closings: (() => Promise<void>)[] = []
const personalDataKey = randomBytes(32)

afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close()
})

/** Closes something after the test, before what it stands on. */
export function closeLater(close: () => Promise<void>): void {
  closings.push(close)
}

/** Waits until an expectation holds, on a machine that may be busy. */
export function eventually(expectation: () => unknown): Promise<unknown> {
  return vi.waitFor(expectation, { timeout: 30_000, interval: 20 })
}

export interface MailTest extends TestDatabase {
  readonly server: MailServer
  /** What the senders reported. */
  readonly undelivered: readonly Undelivered[]
  readonly errors: readonly unknown[]
  /** A process that sends; closed after the test at the latest. */
  process(settings?: Partial<MailSettings>, smtp?: Partial<MailSettings['smtp']>): Promise<OpenMail>
  readonly outbox: Outbox
  rows(): Promise<readonly Record<string, unknown>[]>
  /** Every byte of the tables, as text. */
  allBytes(): Promise<string>
}

/** A database, a mail server, and processes that look for mails every few milliseconds. */
export async function mailTest(): Promise<MailTest> {
  const test = await testDatabase()
  closeLater(() => test.close())
  const server = await startMailServer()
  closeLater(() => server.close())
  const undelivered: Undelivered[] = []
  const errors: unknown[] = []
  const rows = async (): Promise<readonly Record<string, unknown>[]> =>
    (await test.database.pool.query<Record<string, unknown>>('select * from mail.outbox order by id')).rows
  return {
    ...test,
    server,
    undelivered,
    errors,
    rows,
    outbox: await openOutbox(test.database, personalDataKey),
    async process(settings = {}, smtp = {}) {
      const mail = await openMail({
        database: test.database,
        personalDataKey,
        smtp: { url: server.url, from: { name: 'Chat', address: 'chat@example.com' }, ...smtp },
        instance: () => ({ serviceName: 'guildhall', publicUrl: 'https://chat.example.com' }),
        onUndelivered: (failure) => void undelivered.push(failure),
        onError: (error) => void errors.push(error),
        firstRetry_ms: 1,
        poll_ms: 20,
        ...settings,
      })
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

let letters = 0

/** A letter of its own. */
export function resetLetter(members: Partial<LetterOf<'password_reset'>> = {}): LetterOf<'password_reset'> {
  letters += 1
  return {
    to: 'ada@example.com',
    template: 'password_reset',
    values: { username: 'ada', token: `CANARY${letters}` },
    locale: 'en-US',
    key: `letter ${letters}`,
    ...members,
  }
}
