import { setTimeout as passed } from 'node:timers/promises'
import { z } from 'zod'
import { jobQueue } from '../../adapters/jobs/job-queue.ts'
import { notificationSeal, storeSecrets } from '../../application/identity/purchases/take-notification.ts'
import { sql } from '../../application/sql/sql.ts'
import { sealedBox } from '../../application/secrets/sealed-box.ts'
import type { Store } from '../../process/store.ts'
import { namesOfNotification } from './scan-purchases.ts'

const tables = z.object({ there: z.boolean() })
const counted = z.object({ count: z.int() })
const sealedJob = z.object({ id: z.string(), sealed: z.string() })

/** How long a command waits for a worker. */
const wait_ms_max = 20_000
const look_ms = 100

/** Rejects where no worker has ever run: the queue has no tables yet. */
export async function requireQueue({ database }: Pick<Store, 'database'>): Promise<void> {
  const [found] = await database.any(sql.type(tables)`select to_regclass('job_queue.jobs') is not null as there`)
  if (found?.there !== true) throw new Error('There is no queue yet: start a server, whose worker does the reading')
}

/**
 * Has the worker of the instance read purchases again, under the locks that all its processes share. Gives whether it has done so;
 * false if no worker took them up within `wait_ms_max`: they stay in the queue.
 */
export async function haveRead({ database }: Pick<Store, 'database'>, purchases: readonly string[]): Promise<boolean> {
  const jobs = jobQueue(database)
  const keys = purchases.map((purchase) => `purchase ${purchase}`)
  for (const purchase of purchases) await jobs.add('read_purchase', { purchase }, { key: `purchase ${purchase}` })
  return areDone({ database }, keys)
}

/**
 * The same for a notification that waits for its next try, or failed for good. Undefined if none with this id, as its store gave
 * it, is in the queue.
 */
export async function haveApplied(
  { database, personalDataKey }: Pick<Store, 'database' | 'personalDataKey'>,
  notification: string,
): Promise<boolean | undefined> {
  const [found] = await database.any(sql.type(sealedJob)`
    select payload->>'id' as id, payload->>'sealed' as sealed from job_queue._private_jobs
    where payload->>'id' = any(${sql.array([...namesOfNotification(notification)], 'text')}) limit 1`)
  if (!found) return undefined
  const { id, sealed } = found
  // Fails here, and not in the worker, where the queue is another instance's.
  sealedBox(personalDataKey, storeSecrets).open(notificationSeal, Buffer.from(sealed, 'base64'))
  const key = `store notification ${id} replayed`
  await jobQueue(database).add('store_notification', { sealed, id, failures: 0 }, { key })
  return areDone({ database }, [key])
}

async function areDone({ database }: Pick<Store, 'database'>, keys: readonly string[]): Promise<boolean> {
  const deadline = performance.now() + wait_ms_max
  for (;;) {
    const [left] = await database.any(sql.type(counted)`
      select count(*)::int as count from job_queue.jobs where key = any(${sql.array([...keys], 'text')})`)
    if (left?.count === 0) return true
    if (performance.now() > deadline) return false
    await passed(look_ms)
  }
}
