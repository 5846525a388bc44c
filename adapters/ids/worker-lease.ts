import os from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { Unavailable } from '../../application/failures/unavailable.ts'
import type { PostgresDatabase } from '../postgres/database.ts'
import { openLeaseTable, type LeaseTable } from './lease-table.ts'

/** A worker id that no other process has while it is held. It may change: read it each time. */
export interface WorkerLease {
  /** 0-1023. Throws WorkerIdLapsed if no id is held right now. */
  readonly workerId: number
  readonly isHeld: boolean
  /** Gives the id back; nobody gets it for `leaseRest_ms`. Never rejects. Safe to call twice. */
  release(): Promise<void>
}

export interface WorkerLeaseSettings {
  /** One connection is enough. Its statements should have a time limit, and requests should not use it up. */
  readonly database: PostgresDatabase
  /** The id of this process in the register: a UUID. */
  readonly holder: string
  /** Called for each renewal that fails. The next try follows as usual. */
  readonly onError?: (error: unknown) => void
  /** Milliseconds, from a clock that never steps back, and may stand still while the machine sleeps. */
  readonly now?: () => number
  /** Milliseconds of the time of day, which can be set. */
  readonly timeOfDay?: () => number
  /** Milliseconds since the machine started, with those in which it slept. Read where the other two disagree: it takes longer. */
  readonly uptime?: () => number
  readonly renewEvery_ms?: number
}

/** No worker id is held right now, so no ids can be made. */
export class WorkerIdLapsed extends Unavailable {
  override readonly name = 'WorkerIdLapsed'
  override readonly part = 'worker ids'
}

/** Every worker id is held by another process or rests. */
export class NoWorkerIdFree extends Unavailable {
  override readonly name = 'NoWorkerIdFree'
  override readonly part = 'worker ids'
}

export const renewEvery_ms = 5000
/**
 * How long an id is used after its last renewal was sent. This is shorter than the lease and counts from an earlier moment:
 * whatever Postgres does meanwhile, this process stops before another one can get the id.
 */
export const leaseUse_ms = 20_000
const retry_ms = { min: 250, max: 5000 }

interface Held {
  readonly id: number
  /** When the statement that took or renewed the lease was sent, by each clock. */
  readonly sent: Instant
}

interface Clocks {
  readonly now: () => number
  readonly timeOfDay: () => number
  readonly uptime: () => number
}

/** One moment by each clock. */
type Instant = { readonly [Clock in keyof Clocks]: number }

/**
 * Leases a worker id for this process in Postgres, and renews it until it is released. If it can't be renewed in time, it is
 * not held until a renewal succeeds: then it is the same id again, or another one if the old one has a new holder. Rejects with
 * NoWorkerIdFree if all 1024 are taken.
 */
export async function leaseWorkerId(settings: WorkerLeaseSettings): Promise<WorkerLease> {
  const { database, holder, onError = () => undefined } = settings
  const clocks = clocksOf(settings)
  const table = openLeaseTable(database)
  const stop = new AbortController()
  let held: Held | undefined = await take(table, holder, clocks)
  const ended = keepRenewing({ ...settings, onError, signal: stop.signal }, async () => {
    held = await renewOrTake(table, holder, held, clocks)
  })
  let released: Promise<void> | undefined

  async function release(): Promise<void> {
    stop.abort()
    await ended
    const last = held
    held = undefined
    if (last) await table.giveBack(last.id, holder).catch(onError)
  }

  const isHeld = (lease: Held | undefined): lease is Held =>
    !stop.signal.aborted && lease !== undefined && isFresh(lease.sent, clocks)
  return {
    get workerId() {
      if (isHeld(held)) return held.id
      throw new WorkerIdLapsed('The worker id of this process could not be renewed in time')
    },
    get isHeld() {
      return isHeld(held)
    },
    release: () => (released ??= release()),
  }
}

function clocksOf({
  now = () => performance.now(),
  timeOfDay = Date.now,
  uptime = () => os.uptime() * 1000,
}: WorkerLeaseSettings): Clocks {
  return { now, timeOfDay, uptime }
}

const instant = ({ now, timeOfDay, uptime }: Clocks): Instant => ({
  now: now(),
  timeOfDay: timeOfDay(),
  uptime: uptime(),
})

/** The steady clock stops while a machine sleeps; the time of day goes on then, but it also jumps when it is set. */
function isFresh(sent: Instant, { now, timeOfDay, uptime }: Clocks): boolean {
  if (now() - sent.now >= leaseUse_ms) return false
  return timeOfDay() - sent.timeOfDay < leaseUse_ms || uptime() - sent.uptime < leaseUse_ms
}

async function take(table: LeaseTable, holder: string, clocks: Clocks): Promise<Held> {
  const sent = instant(clocks)
  const id = await table.take(holder)
  if (id === undefined)
    throw new NoWorkerIdFree('All 1024 worker ids are taken by other processes, or were until a few minutes ago')
  return { id, sent }
}

async function renewOrTake(table: LeaseTable, holder: string, held: Held | undefined, clocks: Clocks): Promise<Held> {
  const sent = instant(clocks)
  if (held && (await table.renew(held.id, holder))) return { id: held.id, sent }
  return take(table, holder, clocks)
}

interface Renewing {
  readonly onError: (error: unknown) => void
  readonly renewEvery_ms?: number
  readonly signal: AbortSignal
}

/** Renews until the signal aborts; sooner after a failure, with pauses that double. */
async function keepRenewing({ onError, signal, ...settings }: Renewing, renew: () => Promise<void>): Promise<void> {
  const every_ms = settings.renewEvery_ms ?? renewEvery_ms
  let [pause_ms, failures_ms] = [every_ms, retry_ms.min]
  for (;;) {
    await wait(pause_ms, undefined, { signal, ref: false }).catch((aborted: unknown) => aborted)
    if (signal.aborted) return
    try {
      await renew()
      ;[pause_ms, failures_ms] = [every_ms, retry_ms.min]
    } catch (error) {
      onError(error)
      ;[pause_ms, failures_ms] = [failures_ms, Math.min(failures_ms * 2, retry_ms.max)]
    }
  }
}
