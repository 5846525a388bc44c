import { readFileSync } from 'node:fs'

/** Descriptors reserved for everything but clients: Postgres, files, other servers. At most this part of all descriptors. */
const keptDescriptors = 256
const keptPart = 1 / 4
const connectionsOfAddress_max = 512
const partOfAddress = 1 / 2

/** The most connections at once: in all, and from one address. */
export interface ConnectionBounds {
  readonly all_max: number
  readonly address_max: number
}

/** The bounds of a process with this many descriptors, beside its other work. */
export function connectionBounds(descriptors: number = descriptorLimit()): ConnectionBounds {
  const all_max = Math.floor(descriptors - Math.min(keptDescriptors, descriptors * keptPart))
  return { all_max, address_max: Math.min(connectionsOfAddress_max, Math.floor(all_max * partOfAddress)) }
}

/** How many descriptors this process may open; Infinity if there is no limit. */
function descriptorLimit(): number {
  const limit = onLinux() ?? process.report.getReport()
  return typeof limit === 'number' ? limit : reported(limit)
}

function onLinux(): number | undefined {
  try {
    const soft = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]
    return soft === undefined ? undefined : countOf(soft)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

function reported(report: object): number {
  const limits: unknown = Reflect.get(report, 'userLimits')
  const files: unknown = typeof limits === 'object' && limits !== null ? Reflect.get(limits, 'open_files') : undefined
  const soft: unknown = typeof files === 'object' && files !== null ? Reflect.get(files, 'soft') : undefined
  return countOf(String(soft))
}

function countOf(text: string): number {
  const count = Number(text)
  return Number.isNaN(count) ? Infinity : count
}
