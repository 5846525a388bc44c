import { constants, existsSync } from 'node:fs'
import { access, mkdir, mkdtemp, open, readdir, readFile, realpath, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { canEnter, giveTo, type ServerAccount } from './account.ts'
import type { Binaries } from './binaries.ts'
import { EmbeddedPostgresError, reasonOf, systemCode } from './error.ts'
import { spawnGuarded } from './guard.ts'
import { until } from './process.ts'
import { INITDB_ARGUMENTS } from './settings.ts'

const INITDB_MS_MAX = 120_000
const UNFINISHED = 'cluster.new-'

/** A claimed folder, and what serves it. */
export interface ServerLocation {
  readonly folder: string
  readonly account: ServerAccount
  readonly binaries: Binaries
  /** The descriptor of the folder's lock. */
  readonly lock: number
}

/** The cluster's folder within the folder that the caller named. */
export function clusterIn(folder: string): string {
  return path.join(folder, 'cluster')
}

/** Makes the folder if it is missing. Returns its real path. Rejects if it is not a folder, or is not writable. */
export async function prepareFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return await realpath(folder)
  } catch (error) {
    const code = systemCode(error)
    if (code === 'EEXIST' || code === 'ENOTDIR') {
      throw new EmbeddedPostgresError(`DATA_DIR ${folder} is, or lies below, a file. It must be a folder.`)
    }
    throw new EmbeddedPostgresError(`DATA_DIR ${folder} cannot be written to: ${reasonOf(error)}`)
  }
}

/** Whether the folder holds a cluster. Rejects if the cluster's major version differs from that of the binaries. */
export async function hasCluster(folder: string, binaries: Binaries): Promise<boolean> {
  const cluster = clusterIn(folder)
  const major = await majorOf(cluster)
  if (major === binaries.major) return true
  if (major !== undefined) {
    throw new EmbeddedPostgresError(
      `DATA_DIR ${folder} was written by Postgres ${major}, and ${binaries.postgres} is Postgres ${binaries.major}, ` +
        `which cannot read it. Start the Guildhall that came with Postgres ${major}, or move the folder away.`,
    )
  }
  if ((await entries(cluster)).length === 0) return false
  throw new EmbeddedPostgresError(`${cluster} has files in it but no PG_VERSION: it is not the data of a Postgres.`)
}

/**
 * Makes a new cluster. It gets its final name once it is complete, so that an unfinished cluster is never taken for a finished
 * one.
 */
export async function createCluster({ folder, account, binaries, lock }: ServerLocation): Promise<void> {
  for (const name of await entries(folder)) {
    if (name.startsWith(UNFINISHED)) await rm(path.join(folder, name), { recursive: true, force: true })
  }
  const unfinished = await mkdtemp(path.join(folder, UNFINISHED))
  await giveTo(account, unfinished)
  await runInitdb({ folder, account, binaries, lock }, unfinished)
  await rename(unfinished, clusterIn(folder))
  await flushFolder(folder)
}

/**
 * The path by which the account names the cluster. The account may be unable to enter a folder above it, such as root's home.
 * So each program starts inside the cluster, which needs no right on the folders above, and is told to stay there.
 */
export async function pathForAccount(cluster: string, account: ServerAccount): Promise<string> {
  if (await canEnter(account, cluster)) return cluster
  const here = '/proc/self/cwd'
  if (existsSync(here)) return here
  throw new EmbeddedPostgresError(
    `Postgres cannot run as root, and ${account.name} cannot enter ${cluster}. ` +
      'Start Guildhall as an ordinary user, or choose a DATA_DIR that other users can enter.',
  )
}

async function runInitdb({ folder, account, binaries, lock }: ServerLocation, cluster: string): Promise<void> {
  const program = [binaries.initdb, '-D', await pathForAccount(cluster, account), ...INITDB_ARGUMENTS]
  const initdb = spawnGuarded(program, { account, cwd: cluster, ending: 'KILL', lock, log: () => {} })
  if (!(await until(initdb.hasEnded, INITDB_MS_MAX))) initdb.release()
  const status = await initdb.ended
  if (status === 0) return
  throw new EmbeddedPostgresError(`DATA_DIR ${folder} cannot be initialised (status ${status}):\n${initdb.lastLines()}`)
}

async function majorOf(cluster: string): Promise<number | undefined> {
  try {
    return Number.parseInt(await readFile(path.join(cluster, 'PG_VERSION'), 'utf8'), 10)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

async function entries(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
