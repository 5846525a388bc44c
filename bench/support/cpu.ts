import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type pg from 'pg'
import { z } from 'zod'

/** How many cores each role kept busy over an interval: 1 is one core, all the time. Empty without /proc. */
export type Cores = Readonly<Record<string, number>>

/** The processes of each role. */
export type Roles = Readonly<Record<string, () => readonly number[]>>

/** Linux counts CPU time in hundredths of a second, whatever the kernel's own clock. */
const ticksPerSecond = 100

interface Stat {
  readonly parent: number
  /** Its own CPU time and that of its ended children, in seconds. */
  readonly seconds: number
}

function statOf(pid: number): Stat | undefined {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return undefined
  try {
    const text = readFileSync(file, 'utf8')
    // The fields after the command, which may contain spaces and brackets. The parent is the second of them.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const number = (index: number): number => Number(fields[index])
    return { parent: number(1), seconds: (number(11) + number(12) + number(13) + number(14)) / ticksPerSecond }
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return undefined
    throw error
  }
}

/** The role of everything else on the machine. If it is large, the figures are less reliable. */
export const others = 'others'

/** Measures from now on. The returned function gives the use of each role since then, and that of `others`. */
export function measureCores(roles: Roles): () => Cores {
  const used = (): ReadonlyMap<string, number> =>
    new Map(Object.entries(roles).map(([role, pids]) => [role, sum(pids().map((pid) => statOf(pid)?.seconds ?? 0))]))
  const began = performance.now()
  const before = used()
  const machineBefore = machineSeconds()
  return () => {
    const elapsed = (performance.now() - began) / 1000
    const cores = [...used()].map(([role, seconds]): [string, number] => [
      role,
      (seconds - (before.get(role) ?? 0)) / elapsed,
    ])
    if (machineBefore === undefined) return {}
    const all = ((machineSeconds() ?? Number.NaN) - machineBefore) / elapsed
    return { ...Object.fromEntries(cores), [others]: Math.max(0, all - sum(cores.map(([, busy]) => busy))) }
  }
}

/** The CPU time of the whole machine since its start, in seconds; undefined without /proc. */
function machineSeconds(): number | undefined {
  if (!existsSync('/proc/stat')) return undefined
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
  )
    .split(/ +/)
    .map(Number)
  return (user + nice + system + irq + softirq) / ticksPerSecond
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** Gives a process a core of its own; false if this machine can't. */
export function pin(pid: number, core: number): boolean {
  if (availableParallelism() < 2) return false
  return spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)]).status === 0
}

const backend = z.object({ pid: z.int() })

/** The processes of the Postgres behind a pool, as far as this process can see them. */
export async function postgresProcesses(pool: pg.Pool): Promise<() => readonly number[]> {
  const { rows } = await pool.query('select pg_backend_pid() as pid')
  const postmaster = statOf(backend.parse(rows[0]).pid)?.parent
  if (postmaster === undefined) return () => []
  return () => [postmaster, ...processes().filter((pid) => statOf(pid)?.parent === postmaster)]
}

function processes(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}
