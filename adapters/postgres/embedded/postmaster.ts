import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { EmbeddedPostgresError, systemCode } from './error.ts'
import { FAST_SHUTDOWN_SECONDS_MAX } from './guard.ts'
import { parsePid, readIfPossible, runningProcess, until } from './process.ts'

const run = promisify(execFile)
/** Postgres itself kills its children 5 seconds after it was asked for an immediate shutdown. */
const IMMEDIATE_SHUTDOWN_MS_MAX = 10_000

/** The main process of a running Postgres, as recorded in `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly socketFolder: string
  /** Whether it accepts connections. */
  readonly ready: boolean
}

/** The process number in a cluster's `postmaster.pid`. That process may be dead, or not a Postgres. */
export function recordedPid(cluster: string): number | undefined {
  return parsePid(readRecord(cluster)?.split('\n')[0])
}

/** The Postgres that serves the cluster now; undefined also if the recorded number belongs to another process. */
export async function runningPostmaster(cluster: string): Promise<Postmaster | undefined> {
  // Lines of postmaster.pid: pid, data folder, start, port, socket folder, listen address, shared memory, status.
  const [pidText, , , port, socketFolder, , , status] = readRecord(cluster)?.split('\n') ?? []
  const pid = parsePid(pidText)
  if (pid === undefined || !(await servesCluster(pid, cluster))) return undefined
  return { pid, port: Number(port), socketFolder: socketFolder ?? '', ready: status?.trim() === 'ready' }
}

/**
 * Stops the Postgres that serves the cluster, if one does: first by a fast, clean shutdown, then by an immediate one, from
 * which the next start recovers. Signals only a Postgres of this cluster.
 */
export async function stopPostmaster(cluster: string, log: (line: string) => void): Promise<void> {
  for (const [signal, ms_max] of [
    ['SIGINT', FAST_SHUTDOWN_SECONDS_MAX * 1_000],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS_MAX],
  ] as const) {
    const found = await runningPostmaster(cluster)
    if (found === undefined) return
    log(`Stopping the Postgres that was left behind without its guard: process ${found.pid}, ${signal}`)
    signalIfThere(found.pid, signal)
    if (await until(() => runningProcess(found.pid) === undefined, ms_max)) return
  }
  throw new EmbeddedPostgresError(
    `Postgres on ${cluster} does not stop (process ${recordedPid(cluster)}). Stop it by hand and start again.`,
  )
}

function readRecord(cluster: string): string | undefined {
  return readIfPossible(path.join(cluster, 'postmaster.pid'))
}

async function servesCluster(pid: number, cluster: string): Promise<boolean> {
  const found = runningProcess(pid)
  if (found === undefined) return false
  if (found.command === undefined) return commandNames(pid, cluster)
  return found.command === 'postgres' && (await isSameFolder(`/proc/${pid}/cwd`, cluster))
}

/** Every Postgres process works in its data folder, whatever path was used to get there. */
async function isSameFolder(one: string, other: string): Promise<boolean> {
  try {
    const [a, b] = await Promise.all([stat(one), stat(other)])
    return a.dev === b.dev && a.ino === b.ino
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return false
  }
}

/** For hosts without /proc (macOS). */
async function commandNames(pid: number, cluster: string): Promise<boolean> {
  try {
    const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
    return stdout.includes('postgres') && stdout.includes(` -D ${cluster} `)
  } catch (error) {
    if (systemCode(error) !== undefined) throw error
    return false
  }
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error
  }
}
