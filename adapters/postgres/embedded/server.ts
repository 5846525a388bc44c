import { unlessLate } from '../../../application/concurrency/pauses.ts'
import { clusterIn, pathForAccount, type ServerLocation } from './cluster.ts'
import { EmbeddedPostgresError } from './error.ts'
import { FAST_SHUTDOWN_SECONDS_MAX, spawnGuarded, type Guarded } from './guard.ts'
import { recordedPid, runningPostmaster, stopPostmaster } from './postmaster.ts'
import { until } from './process.ts'
import { settingArguments } from './settings.ts'

/** Recovery after a crash reads up to a gigabyte of log before the first connection. */
const START_MS_MAX = 600_000
/** The guard's waiting time, plus a margin for an immediate shutdown after that. */
const STOP_MS_MAX = (FAST_SHUTDOWN_SECONDS_MAX + 10) * 1_000
const LEFT_BEHIND_MS_MAX = 5_000

export interface Server {
  /** Resolves when the server has ended, on request or not: with its exit status, or null for a signal. */
  readonly ended: Promise<number | null>
  /** Resolves when no process of the server is left. Safe to call twice. */
  readonly stop: () => Promise<void>
}

export interface LaunchOptions {
  readonly socketFolder: string
  readonly settings: Readonly<Record<string, string>>
  readonly log: (line: string) => void
}

/** Runs `postgres` on a cluster that nothing else serves. Resolves when it accepts connections. */
export async function launch(
  { folder, account, binaries, lock }: ServerLocation,
  { socketFolder, settings, log }: LaunchOptions,
): Promise<Server> {
  const cluster = clusterIn(folder)
  const dataFolder = await pathForAccount(cluster, account)
  const guarded = spawnGuarded([binaries.postgres, '-D', dataFolder, ...settingArguments(socketFolder, settings)], {
    account,
    cwd: cluster,
    ending: 'INT',
    emptied: socketFolder,
    lock,
    environment: leftOver(cluster),
    log,
  })
  const isReady = async () => (await runningPostmaster(cluster))?.ready === true
  const settled = await until(async () => guarded.hasEnded() || (await isReady()), START_MS_MAX)
  if (guarded.hasEnded()) {
    guarded.release()
    await stopPostmaster(cluster, log)
    const status = await guarded.ended
    throw new EmbeddedPostgresError(`Postgres ended (status ${status}) on DATA_DIR ${folder}:\n${guarded.lastLines()}`)
  }
  let stopping = false
  async function stop() {
    stopping = true
    guarded.release()
    await until(guarded.hasEnded, STOP_MS_MAX)
    // Finds a process only if the guard itself was killed.
    await stopPostmaster(cluster, log)
  }
  if (!settled) {
    await stop()
    throw new EmbeddedPostgresError(`Postgres on ${folder} was not ready after ${START_MS_MAX / 1_000} seconds.`)
  }
  void guarded.ended.then((status) => {
    if (!stopping) log(`Postgres ended by itself (status ${status})`)
  })
  return { ended: endOf(guarded), stop }
}

/** Includes the processes that a killed server leaves behind: they end by themselves, and prevent the next start until then. */
async function endOf({ ended, exited }: Guarded): Promise<number | null> {
  const status = await exited
  await unlessLate(ended, LEFT_BEHIND_MS_MAX).catch((error: unknown) => error)
  return status
}

/**
 * Postgres does not start while the process named in `postmaster.pid` lives, and after a crash that number may belong to any
 * process. Nothing serves the cluster, so the record is out of date. Postgres accepts that if the number equals what it was
 * told its grandparent's is. It still refuses if children of the crashed server use the shared memory.
 */
function leftOver(cluster: string): Record<string, string> {
  const pid = recordedPid(cluster)
  return pid === undefined ? {} : { PG_GRANDPARENT_PID: String(pid) }
}
