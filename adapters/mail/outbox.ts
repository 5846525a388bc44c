import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { sql } from '../../application/ports/database.js'
import { mailKey_days } from '../../application/ports/mail.js'
import { Unavailable } from '../../application/ports/unavailable.js'
import { sealedBox, type SealedBox } from '../../application/secrets/sealed-box.js'
import type { PostgresDatabase } from '../postgres/database.js'

/** A mail as it is kept, sealed: what is needed to send it, or to read it. */
const mailContent = z.object({ to: z.string(), subject: z.string(), text: z.string() })
export type MailContent = z.output<typeof mailContent>

/** A mail whose turn it is, which is this process' until `lease_s` are over. */
export interface DueMail extends MailContent {
  readonly id: string
  /** 32 hexadecimal digits, the same at every try. */
  readonly messageKey: string
  readonly createdAt: string
  /** This one included. */
  readonly tries: number
}

/** A mail that was not sent. */
export interface ShownMail extends MailContent {
  readonly state: 'kept' | 'parked'
  readonly createdAt: string
  /** Why the mail server does not take it. */
  readonly failure: string | null
}

/** All mails that were handed over, in Postgres. */
export interface Outbox {
  /** Takes a mail for good, once a key. Rejects with Unavailable where `waiting_max` mails wait already. */
  add(key: string, content: MailContent, state: 'waiting' | 'kept'): Promise<void>
  /** Takes at most `count` mails whose turn it is. What is not settled within `lease_s` comes up again. */
  due(count: number, lease_s: number): Promise<readonly DueMail[]>
  sent(id: string): Promise<void>
  /** Has a mail tried again after a while. */
  retry(id: string, after_ms: number, failure: string): Promise<void>
  /** Gives up on a mail; the operator can read it. */
  park(id: string, failure: string): Promise<void>
  /** The newest mails that were not sent, newest first, at most `shownMails_max`. */
  shown(): Promise<readonly ShownMail[]>
  /** Forgets the keys of mails that are done and older than `mailKey_days`. */
  sweep(): Promise<void>
}

export const shownMails_max = 1000
export const waiting_max = 100_000
const sweepRows_max = 10_000

const id = z.object({ id: z.string() })
const nothing = z.object({})
const dueRow = z.object({
  id: z.string(),
  key: z.instanceof(Uint8Array),
  sealed: z.instanceof(Uint8Array),
  createdAt: z.string(),
  tries: z.int(),
})
const shownRow = z.object({
  key: z.instanceof(Uint8Array),
  sealed: z.instanceof(Uint8Array),
  state: z.enum(['kept', 'parked']),
  createdAt: z.string(),
  failure: z.string().nullable(),
})

/** Opens the mails in the schema `mail`, which is made where it is missing. */
export async function openOutbox(database: PostgresDatabase, personalDataKey: Uint8Array): Promise<Outbox> {
  await database.pool.query(await readFile(new URL('./tables.sql', import.meta.url), 'utf8'))
  const box = sealedBox(personalDataKey, 'mail')
  return {
    add: (key, content, state) => add(database, box, key, content, state),
    due: (count, lease_s) => due(database, box, count, lease_s),
    ...settling(database),
    shown: () => shown(database, box),
    async sweep() {
      await database.any(sql.type(nothing)`
        delete from mail.outbox where id in (
          select id from mail.outbox where state = 'done' and created_at <= now() - make_interval(days => ${mailKey_days})
          order by created_at limit ${sweepRows_max} for update skip locked)`)
    },
  }
}

async function add(
  database: PostgresDatabase,
  box: SealedBox,
  key: string,
  content: MailContent,
  state: 'waiting' | 'kept',
): Promise<void> {
  const hash = box.hash(key)
  const sealed = box.seal(contextOf(hash), JSON.stringify(content))
  const added = await database.maybeOne(sql.type(id)`
    insert into mail.outbox (key, state, sealed)
    select ${sql.binary(hash)}, ${state}, ${sql.binary(sealed)}
    where (select count(*) from (
      select 1 from mail.outbox where state = 'waiting' limit ${waiting_max}) waiting) < ${waiting_max}
    on conflict (key) do nothing returning id`)
  if (added && state === 'kept') await forgetOldest(database)
  if (added) return
  const known = await database.maybeOne(sql.type(id)`select id from mail.outbox where key = ${sql.binary(hash)}`)
  if (!known) throw new Unavailable(`${waiting_max} mails are waiting for the mail server`)
}

async function due(
  database: PostgresDatabase,
  box: SealedBox,
  count: number,
  lease_s: number,
): Promise<readonly DueMail[]> {
  const rows = await database.any(sql.type(dueRow)`
    update mail.outbox set tries = tries + 1, due_at = now() + make_interval(secs => ${lease_s})
    where id in (
      select id from mail.outbox where state = 'waiting' and due_at <= now()
      order by due_at limit ${count} for update skip locked)
    returning id, key, sealed, created_at as "createdAt", tries`)
  return rows.map(({ key, sealed, ...mail }) => {
    const messageKey = Buffer.from(key).toString('hex').slice(0, 32)
    return { ...mail, ...opened(box, key, sealed), messageKey }
  })
}

function settling(database: PostgresDatabase): Pick<Outbox, 'sent' | 'retry' | 'park'> {
  return {
    async sent(mail) {
      await database.any(sql.type(nothing)`
        update mail.outbox set state = 'done', sealed = null, failure = null where id = ${mail}`)
    },
    async retry(mail, after_ms, failure) {
      await database.any(sql.type(nothing)`
        update mail.outbox
        set due_at = now() + make_interval(secs => ${after_ms / 1000}), failure = ${failure}
        where id = ${mail} and state = 'waiting'`)
    },
    async park(mail, failure) {
      await database.any(sql.type(nothing)`
        update mail.outbox set state = 'parked', failure = ${failure} where id = ${mail} and state = 'waiting'`)
      await forgetOldest(database)
    },
  }
}

/** What the operator has not read by now is gone, but for its key. Whoever forgets the same at this moment goes by. */
async function forgetOldest(database: PostgresDatabase): Promise<void> {
  await database.any(sql.type(nothing)`
    update mail.outbox set state = 'done', sealed = null where id in (
      select id from mail.outbox
      where state in ('kept', 'parked') and id < (select min(id) from (
        select id from mail.outbox where state in ('kept', 'parked') order by id desc limit ${shownMails_max}) newest)
      order by id limit ${shownMails_max} for update skip locked)`)
}

async function shown(database: PostgresDatabase, box: SealedBox): Promise<readonly ShownMail[]> {
  const rows = await database.any(sql.type(shownRow)`
    select key, sealed, state, created_at as "createdAt", failure from mail.outbox
    where state in ('kept', 'parked') order by id desc limit ${shownMails_max}`)
  return rows.map(({ key, sealed, ...mail }) => ({ ...mail, ...opened(box, key, sealed) }))
}

const contextOf = (key: Uint8Array): readonly string[] => [Buffer.from(key).toString('hex')]

function opened(box: SealedBox, key: Uint8Array, sealed: Uint8Array): MailContent {
  return mailContent.parse(JSON.parse(box.open(contextOf(key), sealed)))
}
