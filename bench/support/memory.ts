import { readFileSync } from 'node:fs'

const every_ms = 100
const mib = 1024 * 1024

/** The memory of a process, in MiB. NaN without /proc. */
export function residentMiB(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return (Number(kilobytes) * 1024) / mib
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Number.NaN
    throw error
  }
}

/** Watches the memory of a process from now on. The returned function ends that, and gives the most that it had, in MiB. */
export function watchMemory(pid: number): () => number {
  let most = residentMiB(pid)
  const timer = setInterval(() => (most = Math.max(most, residentMiB(pid))), every_ms)
  return () => {
    clearInterval(timer)
    return Math.max(most, residentMiB(pid))
  }
}
