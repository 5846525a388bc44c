import { ChildProcess } from 'node:child_process'
import { Server } from 'node:net'
import { vi } from 'vitest'
import { openDatabases } from './test-database.ts'

/** What a file can leave behind in its worker, by name, with counts. */
export type Held = ReadonlyMap<string, number>

/** What the whole worker keeps: the shared server, and its dependencies. */
const kept = new Map<string, number>()

/** Called after each file: ends what the worker keeps and no file needs for now. */
export const betweenFiles = new Set<() => Promise<void>>()

/**
 * What is open in this process: databases, listeners, child processes; its environment and folder, and whether its clock is
 * real.
 */
export function held(): Held {
  const names = [
    ...openDatabases,
    ...handles().flatMap(nameOf),
    ...Object.entries(process.env).map(([name, value]) => `process.env.${name}=${value}`),
    `folder ${process.cwd()}`,
    `timers ${vi.isFakeTimers() ? 'faked' : 'real'}`,
  ]
  return countOf(names)
}

/** What is open now and was not before, except for what the worker keeps. Empty if a file has cleaned up. */
export function leftBehind(before: Held, now: Held = held()): readonly string[] {
  return [...now]
    .filter(([name, count]) => count > (before.get(name) ?? 0) + (kept.get(name) ?? 0))
    .map(([name]) => name)
}

/** Opens something that stays open until the worker ends, and does not count as left behind. */
export async function keptInWorker<Result>(open: () => Promise<Result>): Promise<Result> {
  const before = held()
  const result = await open()
  for (const [name, count] of held()) {
    const more = count - (before.get(name) ?? 0)
    if (more > 0) kept.set(name, (kept.get(name) ?? 0) + more)
  }
  return result
}

/** Node reports open handles only through an undocumented function. */
function handles(): readonly unknown[] {
  const inner = process as unknown as { _getActiveHandles(): readonly unknown[] }
  return inner._getActiveHandles()
}

function nameOf(handle: unknown): readonly string[] {
  if (handle instanceof ChildProcess) return isDecoder(handle) ? [] : [`process ${handle.spawnargs.join(' ')}`]
  if (!(handle instanceof Server) || !handle.listening) return []
  const address = handle.address()
  return [`listener on ${typeof address === 'object' ? address?.port : address}`]
}

/** A server starts its image decoder with the first image: for the shared server, that can be in any file. */
function isDecoder({ spawnargs }: ChildProcess): boolean {
  return spawnargs.some((argument) => argument.endsWith('media/decoding/worker.js'))
}

function countOf(names: readonly string[]): Held {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
