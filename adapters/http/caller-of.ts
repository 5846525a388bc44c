import type { Caller, Requester } from '../../application/caller.ts'
import type { Callers, PublicCallers } from './callers.ts'

/** Who stands behind a request by the time that the handler runs. */
export type CallerOf<A extends Callers> = A extends PublicCallers
  ? Requester & Partial<Pick<Caller, 'account' | 'credential'>>
  : Caller
