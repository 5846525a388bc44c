import { z } from 'zod'
import type { WorkCause } from '../../application/commands/command-context.ts'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { Jobs, MailJobPayloads } from '../../application/ports/jobs.ts'
import type { Letter, Mail } from '../../application/ports/mail.ts'
import { Unavailable } from '../../application/failures/unavailable.ts'
import { sealedBox, type SealedBox } from '../../application/secrets/sealed-box.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import { timestamp, type Timestamp } from '../../domain/kernel/timestamp.ts'
import { contentOf, sealedContent, type MailContent } from './mail-content.ts'
import { kindColumn, kindOf, mailsOfRequest, sealedKind } from './mail-kinds.ts'
import { unsentMails } from './unsent-mails.ts'
import type { PostgresDatabase } from '../postgres/database.ts'

/** How long the key of a mail is known: a mail with the same key is not added again. */
export const mailKey_days = 7

/** A mail that only this process may send until `lease_s` are over. */
export interface DueMail extends MailContent {
  readonly id: string
  /** 32 hexadecimal digits, the same in every try. */
  readonly messageKey: string
  readonly createdAt: string
  /** Includes this try. */
  readonly tries: number
  /** Undefined for a mail of a version before. */
  readonly cause: WorkCause | undefined
}

/** An unsent mail. */
export interface ShownMail extends MailContent {
  readonly state: 'kept' | 'parked'
  readonly createdAt: string
  /** Why the mail server refuses it. */
  readonly failure: string | null
}

/** A letter without its content: the key that identifies it, the account that it is about, its template and its cause. */
export type NamedLetter = Pick<Letter, 'key' | 'accountId' | 'template' | 'cause'>

/** All mails handed over for sending, in Postgres. */
export interface Outbox {
  /**
   * Stores a mail durably, once for each key, with a job that sends it. Rejects with Unavailable if `waiting_max` mails wait
   * already.
   */
  add(letter: NamedLetter, content: MailContent, state: 'waiting' | 'kept'): Promise<void>
  /** Whether mails get a job as they are added. Without, a worker finds them once they are overdue. */
  readonly hasJobs: boolean
  /** How far the mail with this key has come; `failed` once a try has, or if it is not there. */
  progressOf(key: string): Promise<'waiting' | 'sent' | 'failed'>
  /** Takes a waiting mail that is due and that no process has taken. */
  take(id: string): Promise<DueMail | undefined>
  /** Gives back a mail that was taken but not tried. It is due at once. */
  giveBack(id: string): Promise<void>
  sent(id: string): Promise<void>
  /** Schedules another try of a mail that could not be sent. */
  retry(mail: Pick<DueMail, 'id' | 'tries'>, after_ms: number, failure: string): Promise<void>
  /** Gives up a mail. The operator can read it. */
  park(id: string, failure: string): Promise<void>
  /** The newest unsent mails, newest first, at most `shownMails_max`. */
  shown(): Promise<readonly ShownMail[]>
  ofRequest: Mail['ofRequest']
  unsent: Mail['unsent']
  /** Deletes the content of mails about an account. Their keys stay. */
  forget(account: AccountId): Promise<void>
  /** Adds jobs for mails that were due `overdue_s` ago and have no job any more. */
  queueOverdue(): Promise<void>
  /** Deletes the keys of finished mails that are older than `mailKey_days`. */
  sweep(): Promise<void>
}

export const shownMails_max = 1000
export const waiting_max = 100_000
/** Longer than a delivery may take. */
const lease_s = 90
/** A job starts late when the workers are busy. */
const overdue_s = 60
const overdueMails_max = 1000
const sweepRows_max = 10_000

const id = z.object({ id: z.string() })
const retried = z.object({ dueAt: z.string() })
const overdueRow = z.object({ id: z.string(), tries: z.int() })
const nothing = z.object({})
const progressRow = z.object({ progress: z.enum(['waiting', 'sent', 'failed']) })
const dueRow = z.object({
  id: z.string(),
  key: z.instanceof(Uint8Array),
  sealed: z.instanceof(Uint8Array),
  createdAt: z.string(),
  tries: z.int(),
  correlationId: z.string().nullable(),
  causationId: z.string().nullable(),
  kind: kindColumn,
})
const shownRow = z.object({
  key: z.instanceof(Uint8Array),
  sealed: z.instanceof(Uint8Array),
  state: z.enum(['kept', 'parked']),
  createdAt: z.string(),
  failure: z.string().nullable(),
})

/** Adds jobs through the given queries, which may be those of a transaction. */
export type MailJobs = (queries: Queries) => Jobs<MailJobPayloads>

/** Opens the mails in the schema `mail`. Without `jobs`, waiting mails get no job; they become overdue. */
export function openOutbox(database: PostgresDatabase, personalDataKey: Uint8Array, jobs?: MailJobs): Outbox {
  const box = sealedBox(personalDataKey, 'mail')
  return {
    add: (letter, content, state) => add({ database, box, jobs }, letter, content, state),
    hasJobs: jobs !== undefined,
    progressOf: (key) => progressOf(database, box.hash(key)),
    take: (mail) => take(database, box, mail),
    ...settling(database, jobs),
    shown: () => shown(database, box),
    ofRequest: (correlationId, limit) => mailsOfRequest(database, box, correlationId, limit),
    unsent: (wanted) => unsentMails(database, box, wanted),
    async forget(account) {
      await database.any(sql.type(nothing)`
        update mail.outbox set state = 'done', sealed = null, sealed_kind = null,
          failure = case when state = 'done' then failure else ${forgotten} end
        where account_id = ${account} and (state <> 'done' or sealed_kind is not null)`)
    },
    queueOverdue: () => queueOverdue(database, jobs),
    async sweep() {
      await database.any(sql.type(nothing)`
        delete from mail.outbox where id in (
          select id from mail.outbox where state = 'done' and created_at <= now() - make_interval(days => ${mailKey_days})
          order by created_at limit ${sweepRows_max} for update skip locked)`)
    },
  }
}

interface Writing {
  readonly database: PostgresDatabase
  readonly box: SealedBox
  readonly jobs: MailJobs | undefined
}

async function add(
  { database, box, jobs }: Writing,
  { key, accountId, template, cause }: NamedLetter,
  content: MailContent,
  state: 'waiting' | 'kept',
): Promise<void> {
  const hash = box.hash(key)
  const sealed = sealedContent(box, hash, content)
  const kind = sealedKind(box, hash, { template, operation: cause.operation })
  const added = await database.transaction(async (queries) => {
    const row = await queries.maybeOne(sql.type(id)`
      insert into mail.outbox (key, account_id, state, sealed, sealed_kind, correlation_id, causation_id)
      select ${sql.binary(hash)}, ${accountId}, ${state}, ${sql.binary(sealed)}, ${sql.binary(kind)},
        ${cause.correlationId}, ${cause.causationId}
      where (select count(*) from (
        select 1 from mail.outbox where state = 'waiting' limit ${waiting_max}) waiting) < ${waiting_max}
      on conflict (key) do nothing returning id`)
    if (row && state === 'waiting') await addJob(jobs?.(queries), { id: row.id, tries: 0 })
    return row
  })
  if (added && state === 'kept') await forgetOldest(database)
  if (added) return
  const known = await database.maybeOne(sql.type(id)`select id from mail.outbox where key = ${sql.binary(hash)}`)
  if (!known) throw new Unavailable(`${waiting_max} mails are waiting for the mail server`)
}

/** The failure of a mail that was deleted unsent. */
const forgotten = 'forgotten'

async function progressOf(database: Queries, key: Buffer): ReturnType<Outbox['progressOf']> {
  const row = await database.maybeOne(sql.type(progressRow)`
    select case when state = 'done' and failure is null then 'sent' when state = 'waiting' and failure is null then 'waiting' else 'failed' end
      as progress
    from mail.outbox where key = ${sql.binary(key)}`)
  return row?.progress ?? 'failed'
}

/** Each try has its own job key, because the job of a failed try adds the job of the next one. */
async function addJob(
  jobs: Jobs<MailJobPayloads> | undefined,
  { id: mail, tries }: Pick<DueMail, 'id' | 'tries'>,
  runAt?: Timestamp,
): Promise<void> {
  await jobs?.add('send_mail', { mail }, { key: `mail ${mail} after ${tries}`, ...(runAt && { runAt }) })
}

/** The due time of a job is rounded to milliseconds. */
async function take(database: Queries, box: SealedBox, mail: string): Promise<DueMail | undefined> {
  const row = await database.maybeOne(sql.type(dueRow)`
    update mail.outbox set tries = tries + 1, due_at = now() + make_interval(secs => ${lease_s})
    where id = ${mail} and state = 'waiting' and due_at <= now() + interval '1 millisecond'
    returning id, key, sealed, created_at as "createdAt", tries,
      correlation_id as "correlationId", causation_id as "causationId", sealed_kind as kind`)
  if (!row) return undefined
  const { key, sealed, correlationId, causationId, kind, ...facts } = row
  const cause =
    correlationId === null || causationId === null
      ? undefined
      : { correlationId, causationId, operation: kindOf(box, key, kind).operation }
  const messageKey = Buffer.from(key).toString('hex').slice(0, 32)
  return { ...facts, ...contentOf(box, key, sealed), messageKey, cause }
}

function settling(
  database: PostgresDatabase,
  jobs: MailJobs | undefined,
): Pick<Outbox, 'giveBack' | 'sent' | 'retry' | 'park'> {
  return {
    async giveBack(mail) {
      await database.any(sql.type(nothing)`
        update mail.outbox set due_at = now() where id = ${mail} and state = 'waiting'`)
    },
    async sent(mail) {
      await database.any(sql.type(nothing)`
        update mail.outbox set state = 'done', sealed = null, failure = null where id = ${mail}`)
    },
    retry: (mail, after_ms, failure) =>
      database.transaction(async (queries) => {
        const row = await queries.maybeOne(sql.type(retried)`
          update mail.outbox
          set due_at = now() + make_interval(secs => ${after_ms / 1000}), failure = ${failure}
          where id = ${mail.id} and state = 'waiting' returning due_at as "dueAt"`)
        if (row) await addJob(jobs?.(queries), mail, timestamp(Date.parse(row.dueAt)))
      }),
    async park(mail, failure) {
      await database.any(sql.type(nothing)`
        update mail.outbox set state = 'parked', failure = ${failure} where id = ${mail} and state = 'waiting'`)
      await forgetOldest(database)
    },
  }
}

/** Such mails were written before there were jobs, or their job's worker died between taking and settling the mail. */
async function queueOverdue(database: Queries, jobs: MailJobs | undefined): Promise<void> {
  const overdue = await database.any(sql.type(overdueRow)`
    select id, tries from mail.outbox
    where state = 'waiting' and due_at < now() - make_interval(secs => ${overdue_s})
    order by due_at limit ${overdueMails_max}`)
  for (const mail of overdue) await addJob(jobs?.(database), mail)
}

/** Deletes the oldest unsent mails, except for their keys. Skips rows that another process is deleting right now. */
async function forgetOldest(database: PostgresDatabase): Promise<void> {
  await database.any(sql.type(nothing)`
    update mail.outbox set state = 'done', sealed = null, failure = ${forgotten} where id in (
      select id from mail.outbox
      where state in ('kept', 'parked') and id < (select min(id) from (
        select id from mail.outbox where state in ('kept', 'parked') order by id desc limit ${shownMails_max}) newest)
      order by id limit ${shownMails_max} for update skip locked)`)
}

async function shown(database: PostgresDatabase, box: SealedBox): Promise<readonly ShownMail[]> {
  const rows = await database.any(sql.type(shownRow)`
    select key, sealed, state, created_at as "createdAt", failure from mail.outbox
    where state in ('kept', 'parked') order by id desc limit ${shownMails_max}`)
  return rows.map(({ key, sealed, ...mail }) => ({ ...mail, ...contentOf(box, key, sealed) }))
}
