import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemCode } from './error.ts'

const POLL_MS = 5

/** A running process. Command and start time are known if the system has /proc and lets us read it. */
export interface RunningProcess {
  readonly pid: number
  readonly command?: string
  /** Distinguishes two processes with the same number, even across restarts of the machine. */
  readonly startedAt?: string
}

/** The process with that number, or undefined if none runs. A process that has ended but was not yet reaped does not count. */
export function runningProcess(pid: number): RunningProcess | undefined {
  if (!answersSignals(pid)) return undefined
  const stat = readIfPossible(`/proc/${pid}/stat`)
  if (stat === undefined) return { pid }
  // pid (command) state ppid ...: a command may itself contain blanks and brackets. The start is field 22, in clock ticks.
  const nameEnd = stat.lastIndexOf(')')
  const [state, ...rest] = stat.slice(nameEnd + 2).split(' ')
  if (state === 'Z' || state === 'X') return undefined
  const boot = readIfPossible('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
  return { pid, command: stat.slice(stat.indexOf('(') + 1, nameEnd), startedAt: `${boot}/${rest[18] ?? ''}` }
}

/** Waits until the condition holds. Returns false if it still does not after `ms_max`. */
export async function until(condition: () => boolean | Promise<boolean>, ms_max: number): Promise<boolean> {
  const deadline = performance.now() + ms_max
  while (!(await condition())) {
    if (performance.now() > deadline) return false
    await sleep(POLL_MS)
  }
  return true
}

/** A process number from a file, or undefined. Never 0 or less, which mean more than one process to kill(2). */
export function parsePid(text: string | undefined): number | undefined {
  const pid = Number(text)
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined
}

/** The environment for our programs: nothing that could change their behaviour, and no secrets. */
export function bareEnvironment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' }
}

export function readIfPossible(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}

function answersSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}
