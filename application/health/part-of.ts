import { Unavailable } from '../failures/unavailable.ts'
import type { Part } from '../ports/parts.ts'

const causes_max = 5
/** Of Postgres and of the system: no space on the disk. */
const diskCodes: ReadonlySet<unknown> = new Set(['53100', 'ENOSPC', 'EDQUOT'])

/**
 * The part that caused an error: the disk if any cause says so, else the part of the deepest cause that is Unavailable. Undefined
 * if no part is out.
 */
export function partOf(error: unknown): Part | undefined {
  let part: Part | undefined
  let cause = error
  for (let depth = 0; depth < causes_max && cause instanceof Error; depth += 1) {
    if ('code' in cause && diskCodes.has(cause.code)) return 'disk'
    if (cause instanceof Unavailable) part = cause.part
    cause = cause.cause
  }
  return part
}
