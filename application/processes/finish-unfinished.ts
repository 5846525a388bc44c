import type { EmailAddressEvent } from '../../domain/email-address/events.js'
import type { GuildCreated } from '../../domain/guild/events.js'
import type { HandleEvent } from '../../domain/handle/events.js'
import type { InviteRedeemed } from '../../domain/invite/events.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'
import { finishingContext } from '../commands/following-context.js'
import type { UnfinishedStep } from '../ports/queries/unfinished-queries.js'
import { finishAdmission, type AdmissionNeeds } from './finish-admission.js'
import { finishAddressClaim, finishHandleClaim } from './finish-claims.js'
import { finishFounding } from './finish-founding.js'

/** What one run came to. */
export interface FinishReport {
  readonly finished: number
  readonly failures: readonly StepFailure[]
}

/** A step that could not be finished, and will be tried again. */
export interface StepFailure {
  readonly step: UnfinishedStep
  readonly error: unknown
}

/** Steps that one run looks at. */
export const finishedSteps_max = 100

/**
 * Takes the steps that dead processes left: of every first step that began before `olderThan` and has no last one, the last.
 * `olderThan` lies further back than any request lives, so that nobody is still at work on them. Each may be finished any
 * number of times, by any number of processes: its commands follow from the event that began it.
 */
export function finishUnfinished(ports: AdmissionNeeds) {
  return async (olderThan: Timestamp, now: Timestamp): Promise<FinishReport> => {
    const steps = await ports.queries.unfinished.before(olderThan, finishedSteps_max)
    const failures: StepFailure[] = []
    for (const step of steps) {
      try {
        await finish(ports, step, now)
      } catch (error) {
        failures.push({ step, error })
      }
    }
    return { finished: steps.length - failures.length, failures }
  }
}

/** The data of a step is that of the event that began it: the read model has it from there. */
function finish(ports: AdmissionNeeds, step: UnfinishedStep, now: Timestamp): Promise<void> {
  const context = finishingContext(step, step.process, now)
  const data: unknown = step.data
  switch (step.process) {
    case 'admission':
      return finishAdmission(ports, data as InviteRedeemed, context)
    case 'founding':
      return finishFounding(ports, data as GuildCreated, context)
    case 'handle_claim':
      return finishHandleClaim(ports, data as HandleEvent['data'], context)
    case 'address_claim':
      return finishAddressClaim(ports, data as EmailAddressEvent['data'], context)
  }
}
