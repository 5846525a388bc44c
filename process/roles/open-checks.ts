import { statfs } from 'node:fs/promises'
import path from 'node:path'
import type { PostgresDatabase } from '../../adapters/postgres/database.ts'
import { orPostgresUnavailable } from '../../adapters/postgres/postgres-unavailable.ts'
import type { Position } from '../../domain/kernel/position.ts'
import { openReadiness, type Check, type Readiness } from '../../application/health/open-readiness.ts'
import { readModelWait_ms_max } from '../../projections/runner/progress.ts'
import type { Base } from './base.ts'
import { scannerOf } from './open-images.ts'

/** For the data folder. A Postgres elsewhere reports a full disk by refusing statements. */
const free_bytes_min = 64 * 1024 * 1024

/**
 * Checks whether this process's dependencies can be used: Postgres, the event store, the disk, NATS, the file scanner, and whether the read
 * models hold what had happened ten seconds ago.
 */
export function openChecks(base: Base): Readiness {
  const { options, closings, store, upkeep, readModels, outages, natsAnswers } = base
  const { settings } = options
  /** If the events are in Postgres, one question asks whether Postgres answers, and where the events end. */
  const { lookForEnd } = store
  let looked: Promise<Position> | undefined
  const postgres: Check = {
    part: 'postgres',
    isNeeded: true,
    ask: () => (lookForEnd ? (looked = lookForEnd(upkeep)) : upkeep.pool.query('select 1').catch(unavailable)),
  }
  const disk: Check = { part: 'disk', isNeeded: true, ask: () => checkDisk(base, upkeep.pool) }
  const eventStore: Check = { part: 'event store', isNeeded: true, ask: () => store.events.end() }
  const lag: Check = {
    part: 'read models',
    isNeeded: true,
    answer_ms_max: readModelWait_ms_max,
    ask: async () => {
      // If the store gives none, that is the store's outage.
      const end = await (looked ?? store.events.end()).catch((error: unknown) => void error)
      if (end !== undefined) await readModels.reached(end)
    },
  }
  const nats: readonly Check[] = natsAnswers ? [{ part: 'nats', isNeeded: false, ask: natsAnswers }] : []
  const scanner = scannerOf(settings)
  const ofScanner: readonly Check[] = scanner
    ? [{ part: 'file scanner', isNeeded: false, ask: () => scanner.answers() }]
    : []
  const ofStore = settings.eventStoreUrl === undefined ? [] : [eventStore]
  const readiness = openReadiness({ checks: [postgres, ...ofStore, disk, lag, ...nats, ...ofScanner], outages })
  closings.add(async () => readiness.close())
  return readiness
}

/** Rejects if the data folder is full, or if Postgres reported a full disk and still has one. */
async function checkDisk({ options, outages }: Base, pool: PostgresDatabase['pool']): Promise<void> {
  const { dataDir } = options.settings
  const free_bytes = await freeIn(dataDir)
  if (free_bytes < free_bytes_min) throw new Error(`${path.resolve(dataDir)} has ${free_bytes} bytes left`)
  if (outages.current.some(({ part }) => part === 'disk')) await writeSome(pool)
}

/** Infinity for a folder that does not exist: this process has not written to it. */
async function freeIn(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Infinity
    throw error
  }
}

/** A megabyte that is discarded with the statement. */
async function writeSome(pool: PostgresDatabase['pool']): Promise<void> {
  await pool
    .query(
      `begin;
       create temporary table guildhall_probe on commit drop as
         select repeat(md5(line::text), 200) as text from generate_series(1, 200) as line;
       rollback`,
    )
    .catch(unavailable)
}

function unavailable(error: unknown): never {
  throw orPostgresUnavailable(error)
}
