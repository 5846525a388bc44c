import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { AnonymisingLimits } from '../identity/erasure/anonymise-messages.ts'
import type { StepReference } from '../ports/jobs.ts'
import type { FinishingNeeds } from './finishing-needs.ts'
import { managerOf } from './process-managers.ts'

/**
 * Finishes the referenced step, and resolves once the read models hold it; false if nothing is left to finish, or if it goes on
 * later. Safe to repeat, by any number of processes: the step's commands derive from the event that began it. Rejects if the step
 * cannot be finished yet, and between the batches of a long one once `signal` aborts: the next try goes on.
 */
export function finishStep(ports: FinishingNeeds) {
  return async (
    { process, key, eventId }: StepReference,
    now: Timestamp,
    limits: Partial<AnonymisingLimits> = {},
  ): Promise<boolean> => {
    const step = await ports.queries.unfinished.find(process, key)
    // A new step may have begun under the key of a finished one; its request is still working on it.
    if (step?.eventId !== eventId) return false
    return managerOf(step).finish(ports, step, now, limits)
  }
}
