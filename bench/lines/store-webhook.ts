import { z } from 'zod'
import type { LoadJob } from '../http/http-load.ts'
import { openConnection } from '../http/raw-connection.ts'
import { rawRequest } from '../http/raw-request.ts'
import { claim, openStoreSite, sellTo, type StoreSite } from '../stores/store-site.ts'
import type { Sale } from '../../test/support/store-a/sales.ts'
import type { LineSettings } from '../support/line.ts'
import { residentMiB, watchMemory } from '../support/memory.ts'
import { compare, verdictOf, type Comparison } from '../support/rounds.ts'

const people_count = 20
const connections = 16
const burst_count = 2000
const burst_connections = 64
const burst_s_max = 60
const burst_MiB_max = 64
/** More than either side takes in a second on two cores. */
const notificationsEachSecond = 500
const look_ms = 50
/** How long the store takes while only the queue is measured. */
const slow_ms = 1500
/** How soon the store delivers again what was shed. */
const again_ms = 1000

type Requests = LoadJob['requests']
const waiting = z.object({ count: z.int() })

/**
 * Store A notification, verified and in the queue, beside a bare Fastify that verifies the same text with `jose` and inserts a row;
 * then the time and the memory that 2,000 at once take until each is applied.
 */
export async function storeWebhookLine({ seconds, rounds }: LineSettings): Promise<Comparison> {
  const site = await openStoreSite(people_count)
  try {
    const sales: Sale[] = []
    for (const buyer of site.people) {
      const sale = sellTo(site, buyer)
      await claim(site, buyer, sale)
      sales.push(sale)
    }
    const measured = async (side: 'own' | 'bare', for_s: number) => {
      const requests = await notifications(site, sales, notificationsEachSecond * for_s, side)
      // The worker waits for the store meanwhile: only verifying and queueing are measured.
      site.storeA.fault = { late_ms: slow_ms }
      try {
        return await site.measure(site[side], { connections, seconds: for_s, once: true, requests })
      } finally {
        site.storeA.fault = undefined
        await forget(site)
      }
    }
    await measured('bare', 1)
    await measured('own', 1)
    const compared = await compare({
      line: 'store webhook',
      unit: 'notifications/s',
      target: 0.6,
      rounds,
      baseline: () => measured('bare', seconds),
      product: () => measured('own', seconds),
    })
    return { ...compared, notes: [await burst(site, sales)] }
  } finally {
    await site.close()
  }
}

async function burst(site: StoreSite, sales: readonly Sale[]): Promise<string> {
  const requests = await notifications(site, sales, burst_count, 'own')
  const idle_MiB = residentMiB(site.product.pid)
  const mostOf = watchMemory(site.product.pid)
  const began = performance.now()
  const again = await deliver(
    site.own.port,
    requests.map((request) => rawRequest(site.own.port, request)),
  )
  await applied(site)
  const took_s = (performance.now() - began) / 1000
  const more_MiB = mostOf() - idle_MiB
  const verdict = verdictOf(took_s <= burst_s_max && more_MiB <= burst_MiB_max)
  return `${burst_count} at once (${again} shed, and delivered again) are applied after ${took_s.toFixed(1)} s, ${more_MiB.toFixed(0)} MiB above idle; at most ${burst_s_max} s and ${burst_MiB_max} MiB: ${verdict}`
}

/** Delivers each request, as a store does: what the server sheds is sent again. Gives how often that was. */
async function deliver(port: number, requests: readonly Buffer[]): Promise<number> {
  const open = await Promise.all(Array.from({ length: burst_connections }, () => openConnection(port)))
  let next = 0
  let again = 0
  const run = async (connection: (typeof open)[number]): Promise<void> => {
    for (let request = requests[next++]; request; request = requests[next++])
      for (let status = await connection.ask(request); status !== 200; status = await connection.ask(request)) {
        if (status !== 503) throw new Error(`A notification was answered with ${status}`)
        again += 1
        await new Promise((resolve) => setTimeout(resolve, again_ms))
      }
  }
  await Promise.all(open.map(run)).finally(() => open.forEach((connection) => connection.close()))
  return again
}

/** Empties the queue, so that nothing of one round is applied in the next. */
async function forget({ pool }: StoreSite): Promise<void> {
  for (;;) {
    await pool.query('delete from job_queue._private_jobs where locked_at is null')
    if ((await queued(pool)) === 0) return
    await new Promise((resolve) => setTimeout(resolve, look_ms))
  }
}

async function notifications(
  { storeA }: StoreSite,
  sales: readonly Sale[],
  count: number,
  side: 'own' | 'bare',
): Promise<Requests> {
  const requests: Requests = []
  for (let index = 0; index < count; index += 1) {
    const signedPayload = await storeA.notify('DID_RENEW', sales[index % sales.length])
    const path = side === 'own' ? '/webhooks/store-a' : '/notifications'
    requests.push({ method: 'POST', path, body: JSON.stringify({ signedPayload }) })
  }
  return requests
}

/** Resolves once the queue has no notification left. */
async function applied({ pool }: StoreSite): Promise<void> {
  while ((await queued(pool)) > 0) await new Promise((resolve) => setTimeout(resolve, look_ms))
}

async function queued(pool: StoreSite['pool']): Promise<number> {
  const { rows } = await pool.query(
    `select count(*)::int as count from job_queue.jobs where task_identifier = 'store_notification'`,
  )
  return waiting.parse(rows[0]).count
}
