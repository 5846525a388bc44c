import { clusterIn, pathForAccount, type ServerPlace } from './cluster.js'
import { EmbeddedPostgresError } from './error.js'
import { FAST_SHUTDOWN_SECONDS_MAX, spawnGuarded } from './guard.js'
import { recordedPid, runningPostmaster, stopPostmaster } from './postmaster.js'
import { until } from './process.js'
import { settingArguments } from './settings.js'

/** Recovery after a crash reads up to a gigabyte of log before the first connection. */
const START_MS_MAX = 600_000
/** The guard's patience, and a margin for Postgres to end at once after that. */
const STOP_MS_MAX = (FAST_SHUTDOWN_SECONDS_MAX + 10) * 1_000

export interface Server {
  /** Resolves when no process of the server is left. */
  readonly stop: () => Promise<void>
}

export interface LaunchOptions {
  readonly socketFolder: string
  readonly settings: Readonly<Record<string, string>>
  readonly log: (line: string) => void
}

/** Runs `postgres` on a cluster that nothing else serves. Resolves when it takes connections. */
export async function launch(
  { folder, account, binaries, lock }: ServerPlace,
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
    // Finds something only where the guard itself was killed.
    await stopPostmaster(cluster, log)
  }
  if (!settled) {
    await stop()
    throw new EmbeddedPostgresError(`Postgres on ${folder} was not ready after ${START_MS_MAX / 1_000} seconds.`)
  }
  void guarded.ended.then((status) => {
    if (!stopping) log(`Postgres ended by itself (status ${status})`)
  })
  return { stop }
}

/**
 * Postgres does not start while the process that `postmaster.pid` names lives, which after a crash may by now be any
 * process. Nothing serves the cluster, so that record is out of date; Postgres takes it so when the number is the one
 * it was told its grandparent has. It still refuses when children of the crashed server use the shared memory.
 */
function leftOver(cluster: string): Record<string, string> {
  const pid = recordedPid(cluster)
  return pid === undefined ? {} : { PG_GRANDPARENT_PID: String(pid) }
}
