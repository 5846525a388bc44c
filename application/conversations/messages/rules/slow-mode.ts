import type { PermissionName } from '../../../../domain/permissions/permission-bits.ts'
import type { Caller } from '../../../caller.ts'

/** A place with slow mode, in seconds; 0 for none. `can`: what the caller may do there. */
interface SlowPlace {
  readonly slowMode_s: number
  readonly can: (permission: PermissionName) => boolean
}

/** Whether the caller waits for the slow mode of a place: bots and holders of BYPASS_SLOWMODE do not. */
export function isSlowed({ account }: Caller, { slowMode_s, can }: SlowPlace): boolean {
  return slowMode_s > 0 && !account.bot && !can('BYPASS_SLOWMODE')
}
