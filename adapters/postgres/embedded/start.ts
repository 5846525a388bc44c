import { constants } from 'node:fs'
import { access, realpath } from 'node:fs/promises'
import path from 'node:path'
import { serverAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { claimFolder, type FolderClaim } from './claim.ts'
import { clusterIn, createCluster, hasCluster, prepareFolder, type ServerLocation } from './cluster.ts'
import { EmbeddedPostgresError, reasonOf, systemCode } from './error.ts'
import { keepRunning, type KeptRunning, type RestartBounds } from './keep-running.ts'
import { holdLock } from './lock.ts'
import { runningPostmaster, stopPostmaster } from './postmaster.ts'
import { launch } from './server.ts'
import { DATABASE, PORT, USER } from './settings.ts'
import { keepSocketFolder, makeSocketFolder } from './socket-folder.ts'

/** The connection settings for pg.Pool. The host is the folder of a unix socket. */
export interface Connection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

export interface EmbeddedPostgres {
  readonly connection: Connection
  /** Resolves when Postgres ended by itself and is not restarted any more. Never resolves without `restarts`. */
  readonly givenUp: Promise<EmbeddedPostgresError>
  /** Ends every connection and stops Postgres cleanly. Resolves when none of its processes is left. Safe to call twice. */
  readonly stop: () => Promise<void>
}

export interface StartOptions {
  /** Holds the cluster and our files beside it; made if missing. It must hold nothing else. */
  readonly folder: string
  /** Postgres settings that replace the product's own. */
  readonly settings?: Readonly<Record<string, string>>
  /** Called with each line that Postgres reports. */
  readonly log?: (line: string) => void
  /** Restarts Postgres when it ends by itself, with the same connection settings. If absent, it stays down. */
  readonly restarts?: Restarts
}

export interface Restarts {
  /** Called with a line for each unexpected end, and for each failed start. */
  readonly onDeath: (line: string) => void
  readonly bounds?: Partial<RestartBounds>
}

/**
 * Starts the Postgres whose data is in a folder, and initialises it on first use. Resolves when it accepts connections. It
 * first stops a Postgres that a killed process left on the folder. Postgres ends with this process, however that ends.
 *
 * Rejects only with EmbeddedPostgresError: the folder is in use, cannot be used, or has another major version; no Postgres is
 * found; Postgres does not start.
 */
export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32') {
    throw new EmbeddedPostgresError('The embedded Postgres does not run on Windows. Use WSL, or set DATABASE_URL.')
  }
  try {
    const folder = await prepareFolder(path.resolve(options.folder))
    const account = await serverAccount(clusterIn(folder))
    const claim = await claimFolder(folder)
    try {
      return releasing(claim, await startClaimed({ folder, account, lock: claim.lock }, options))
    } catch (error) {
      await claim.release()
      throw error
    }
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error
    const message = `The embedded Postgres on DATA_DIR ${options.folder} cannot start: ${reasonOf(error)}`
    throw new EmbeddedPostgresError(message, { cause: error })
  }
}

/**
 * The connection to the Postgres that another process of ours runs on that folder, or undefined if none accepts connections.
 * For commands beside a running server. Only the server's own user and root may ask.
 */
export async function findRunningPostgres(folder: string): Promise<Connection | undefined> {
  try {
    const cluster = clusterIn(await realpath(folder))
    await access(cluster, constants.R_OK | constants.X_OK)
    const found = await runningPostmaster(cluster)
    return found?.ready === true ? connectionTo(found.socketFolder) : undefined
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined
    throw new EmbeddedPostgresError(`DATA_DIR ${folder} cannot be read: ${reasonOf(error)}`, { cause: error })
  }
}

async function startClaimed(
  location: Omit<ServerLocation, 'binaries'>,
  { settings = {}, log = () => {}, restarts }: StartOptions,
): Promise<EmbeddedPostgres> {
  const cluster = clusterIn(location.folder)
  const binaries = await findBinaries(location.account)
  const exists = await hasCluster(location.folder, binaries)
  await stopPostmaster(cluster, log)
  await holdLock(location.folder, location.lock)
  if (!exists) await createCluster({ ...location, binaries })
  const socketFolder = await makeSocketFolder(cluster, location.account)
  const launchIt = () => launch({ ...location, binaries }, { socketFolder, settings, log })
  const first = await launchIt()
  const connection = connectionTo(socketFolder)
  if (!restarts) return { connection, givenUp: never, stop: first.stop }
  async function startAgain() {
    // If the guard was killed instead, Postgres may still be ending.
    await stopPostmaster(cluster, log)
    await keepSocketFolder(socketFolder, location.account)
    return launchIt()
  }
  const { givenUp, stop }: KeptRunning = keepRunning({ first, start: startAgain, ...restarts })
  return { connection, givenUp, stop }
}

const never = new Promise<never>(() => undefined)

/** The same server, with a `stop` that also releases the folder and can be called twice. */
function releasing(claim: FolderClaim, running: EmbeddedPostgres): EmbeddedPostgres {
  let stopped: Promise<void> | undefined
  async function stop() {
    try {
      await running.stop()
    } finally {
      await claim.release()
    }
  }
  return { ...running, stop: () => (stopped ??= stop()) }
}

function connectionTo(host: string): Connection {
  return { host, port: PORT, user: USER, database: DATABASE }
}
