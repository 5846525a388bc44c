import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { expect } from 'vitest'
import { call, send, type ApiAnswer } from '../../support/load-api.ts'
import type { ProductProcess } from '../../support/product-process.ts'
import { listMessages, sendMessage, type Author } from './message-stage.ts'

interface Place {
  readonly author: Author
  readonly hanging: ProductProcess
  /** Gets the repeat of the request. */
  readonly living: ProductProcess
  readonly pool: Pool
}

/** The class of the locks of message channels in Postgres, one for each author. */
const channelLocks = 1196771691

/**
 * Sends a message to a process, and stops the process while it waits for Postgres in its transaction. Repeats the request at
 * another process until it is answered, and lets the first one go on. Gives both answers to a further repeat, and the messages that
 * are there.
 */
export async function hungWithin({ hanging, living, author, pool }: Place) {
  const { channel } = author
  const plain = sendMessage(author, channel, 'once')
  const request = { ...plain, body: { ...plain.body, nonce: 'n1' } }
  const key = randomUUID()
  const ask = ({ url }: ProductProcess): Promise<ApiAnswer> => send(url, request, key)
  const first = await stopWithin(pool, `${channel} ${author.id}`, () => ask(hanging), hanging)
  const began = performance.now()
  const answer = await ask(living)
  const stuck_s = (performance.now() - began) / 1000
  hanging.signal('SIGCONT')
  await first.answered
  const again = [await ask(living), await ask(hanging)]
  const messages = await call(living.url, listMessages(author, channel))
  return { plain, answer, again, messages, stuck_s }
}

/** Holds a lock, lets a process begin what needs it, and stops the process while it waits for the lock. */
async function stopWithin(pool: Pool, lock: string, begin: () => Promise<unknown>, hanging: ProductProcess) {
  const client = await pool.connect()
  const waiting = `select from pg_locks where locktype = 'advisory' and not granted and classid = ${channelLocks}
    and database = (select oid from pg_database where datname = current_database())`
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1, hashtext($2))', [channelLocks, lock])
    const answered = begin().catch((error: unknown) => error)
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1)
    hanging.signal('SIGSTOP')
    return { answered }
  } finally {
    await client.query('commit')
    client.release()
  }
}
