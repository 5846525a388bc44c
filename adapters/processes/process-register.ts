import type { PoolClient } from 'pg'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { Elector, LockKey, Seat } from '../../application/concurrency/elector.ts'
import { aborted, pause, unlessAborted } from '../../application/concurrency/pauses.ts'
import { Unavailable } from '../../application/failures/unavailable.ts'
import { stillHolds } from '../postgres/held-connections.ts'
import { processLockClass, servingLock } from './running-processes.ts'

/** This process's entry among those that serve one database, with its lock. */
export interface ProcessRegister {
  /** Names this process in the register, and is the holder of its worker id. */
  readonly id: string
  /** Writes this process into the register. Call it once the tables are there. */
  enlist(): Promise<void>
  /**
   * Undefined while this process surely holds its entry. After a hang, or while Postgres is away: a promise that resolves once it
   * holds its entry again, and rejects with EntryLost after `regain_ms_max`, or if another process has taken over.
   */
  whileHeld(): Promise<void> | undefined
  /** Resolves when another process has taken over, because this one hung or lost its Postgres. It must end then. */
  readonly takenOver: Promise<Error>
  /** Lets the next process serve. Call it once, when nothing is written any more. */
  leave(): Promise<void>
}

export interface RegisterSettings {
  /** Its connection is held until this process leaves. Its pool is opened with `holdsLocks`. */
  readonly elector: Elector<PoolClient>
  readonly roles: readonly string[]
  readonly version: string
  /** Whether this process serves alone: without NATS, processes would not hear of each other. */
  readonly isAlone: boolean
  /**
   * Called once if entering has to wait because another process is serving and the two may not serve at the same time.
   */
  readonly onWaiting: () => Promise<void> | void
  /** Ends the wait: entering rejects with its reason. */
  readonly stopping: AbortSignal
  readonly onError: (error: unknown) => void
}

/** This process can't be sure that no other one serves instead. Nothing was written. */
export class EntryLost extends Unavailable {
  override readonly name = 'EntryLost'
  override readonly part = 'process register'
}

/** How often a waiting process asks whether the other one has ended. */
const waiting_ms = 200
/** How long an append may wait until this process holds its entry again. */
export const regain_ms_max = 5000
const regainLook_ms = 50
const retry_ms = 250

const numberRow = z.object({ number: z.int() })
const replacedRow = z.object({ replaced: z.boolean() })

interface Entry extends RegisterSettings {
  readonly id: string
  /** Where the locks are held; undefined while there is no connection. */
  seat: Seat<PoolClient> | undefined
  /** This process's number in the register, once it is listed. */
  number: number | undefined
  isReplaced: boolean
}

/**
 * Waits until this process may serve, and holds that entry for as long as it lives: by an advisory lock of a connection that it
 * keeps, which Postgres releases if the process dies, and within `heldSilence_ms_max` if it hangs or its host vanishes. A process
 * that serves alone excludes every other one; processes of roles share the entry. If the connection breaks, the entry is taken
 * again, unless another process has served in between. Rejects with the client's error if Postgres is away.
 */
export async function enterRegister(settings: RegisterSettings): Promise<ProcessRegister> {
  const id = randomUUID()
  const leaving = new AbortController()
  const entry: Entry = { ...settings, id, seat: undefined, number: undefined, isReplaced: false }
  const entered = new AbortController()
  const kept = keepEntry(entry, () => entered.abort(), leaving.signal)
  await unlessAborted(kept, entered.signal)
  return {
    id,
    takenOver: kept.then(() => (entry.isReplaced ? new Error(takenOverText) : never)),
    async enlist() {
      entry.number = await enlisted(entry)
    },
    whileHeld: () => (isHeld(entry) ? undefined : regained(entry)),
    async leave() {
      leaving.abort()
      await kept
    },
  }
}

const takenOverText =
  'another process serves this database now, because this one hung or lost Postgres: it ends, and waits for its turn if it is started again'

const never = new Promise<never>(() => undefined)

const isHeld = ({ seat }: Entry): boolean => seat !== undefined && stillHolds(seat.client)

async function regained(entry: Entry): Promise<void> {
  const until = performance.now() + regain_ms_max
  while (!isHeld(entry)) {
    if (entry.isReplaced || performance.now() > until)
      throw new EntryLost('Another process may serve instead of this one')
    // Not ended by `stopping`: the acts under way then may still regain the entry.
    await wait(regainLook_ms)
  }
}

/**
 * Holds the entry, again after each loss of the connection, until this process leaves or has been replaced. Rejects if it can't enter.
 */
async function keepEntry(entry: Entry, onEntered: () => void, leaving: AbortSignal): Promise<void> {
  let hasEntered = false
  while (!leaving.aborted && !entry.isReplaced) {
    try {
      await entry.elector.use(async (seat) => {
        if (!(await (hasEntered ? takesAgain(entry, seat) : takesFirst(entry, seat)))) return
        entry.seat = seat
        hasEntered = true
        onEntered()
        await aborted(AbortSignal.any([seat.lost, leaving]))
        entry.seat = undefined
        await letGo(entry, seat)
      })
    } catch (error) {
      if (!hasEntered) throw error
      entry.onError(error)
    }
    if (!entry.isReplaced) await pause(retry_ms, leaving)
  }
}

/** Waits for the others. */
async function takesFirst({ isAlone, onWaiting, stopping }: Entry, seat: Seat<PoolClient>): Promise<true> {
  for (let isFirst = true; !(await seat.take(lockOf(servingLock), !isAlone)); isFirst = false) {
    if (isFirst) await onWaiting()
    await pause(waiting_ms, stopping)
    stopping.throwIfAborted()
  }
  return true
}

async function takesAgain(entry: Entry, seat: Seat<PoolClient>): Promise<boolean> {
  const { isAlone, number } = entry
  const isFree = await seat.take(lockOf(servingLock), !isAlone)
  // Asked after taking the lock: a process that served in between is in the register by now.
  entry.isReplaced = number !== undefined && (await isReplaced(seat, number, isAlone))
  if (isFree && !entry.isReplaced && (number === undefined || (await seat.take(lockOf(number))))) {
    // A process that enlisted while this one held no lock has taken it for dead, and removed its row.
    if (number !== undefined) await writeRow(entry, seat, number)
    return true
  }
  if (isFree) await letGo({ isAlone, number: undefined }, seat)
  return false
}

/** Writes this process into the register, with the next number or, where it had one, with that unless it stands there. Gives the number. */
async function writeRow(
  { id, roles, version, isAlone }: Entry,
  { client }: Seat<PoolClient>,
  number?: number,
): Promise<number> {
  const { rows } = await client.query(
    `insert into processes.register (number, id, roles, version, is_alone) overriding system value
     values (coalesce($1, nextval(pg_get_serial_sequence('processes.register', 'number'))), $2, $3, $4, $5)
     on conflict (number) do update set id = excluded.id returning number`,
    [number ?? null, id, roles, version, isAlone],
  )
  return numberRow.parse(rows[0]).number
}

async function letGo({ isAlone, number }: Pick<Entry, 'isAlone' | 'number'>, seat: Seat<PoolClient>): Promise<void> {
  if (number !== undefined) await seat.release(lockOf(number))
  await seat.release(lockOf(servingLock), !isAlone)
}

const lockOf = (number: number): LockKey => [processLockClass, number]

/** Whether a process has entered the register since then that may not serve at the same time as this one. */
async function isReplaced({ client }: Seat<PoolClient>, number: number, isAlone: boolean): Promise<boolean> {
  const { rows } = await client.query(
    'select exists (select from processes.register where number > $1 and (is_alone or $2)) as replaced',
    [number, isAlone],
  )
  return replacedRow.parse(rows[0]).replaced
}

/** The number of this process in the register, with its lock held. Forgets dead processes. */
async function enlisted(entry: Entry): Promise<number> {
  const { seat } = entry
  if (!seat) throw new EntryLost('This process lost its entry before it was listed')
  const number = await writeRow(entry, seat)
  await seat.take(lockOf(number))
  // The newest one that served alone stays: by it, a process that has hung since knows that it was replaced.
  await seat.client.query(
    `delete from processes.register as process
     where number < $2 and number <> coalesce((select max(number) from processes.register where is_alone), 0)
       and not exists (select from pg_locks where locktype = 'advisory' and objsubid = 2
         and database = (select oid from pg_database where datname = current_database())
         and classid = $1::int4::oid and objid = process.number::oid)`,
    [processLockClass, number],
  )
  return number
}
