import type { BackgroundJobId, GuildId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { msOf, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { orderedBy } from '../jobs/ordered-work.ts'
import { queueOrderedWork } from '../jobs/queue-ordered-work.ts'
import { planRewind, stepsIn } from './plan-rewind.ts'
import type { PlanningNeeds } from './rewind-question.ts'
import { changesInWords, lostInWords, type LostObject } from './rewind-in-words.ts'

/** The most changes in one answer. */
export const rewindChanges_max = 1000

/** Who orders a rewind: an administrator, or an operator at the command line. */
type Ordering = Pick<Caller, 'account' | 'credential' | 'context'>

/** A rewind as an administrator asks for it. */
export interface RewindWishes {
  readonly to: Timestamp
  readonly dryRun: boolean
}

/** What a rewind does, and by which job. */
export interface QueuedRewind {
  /** Null for a dry run, and where there is nothing to do. */
  readonly job_id: BackgroundJobId | null
  readonly changes: readonly string[]
  /** Whether there are more changes than these. */
  readonly truncated: boolean
  /** What does not come back. */
  readonly lost: readonly LostObject[]
}

/**
 * Says what brings a guild back to a moment, and queues a job for it. Refuses as `planRewind`, and with INVALID_FORM_BODY at `to` for
 * a time to come: RANGE_ENDS_BEFORE_START (rules/administration#rewinds).
 */
export function queueRewind(ports: PlanningNeeds & Pick<Ports, 'backgroundJobs'>) {
  return async (caller: Ordering, guildId: GuildId, { to, dryRun }: RewindWishes): Promise<QueuedRewind> => {
    const { context } = caller
    if (msOf(to) > msOf(context.now)) reject('INVALID_FORM_BODY', field('to', 'RANGE_ENDS_BEFORE_START'))
    const plan = await planRewind(ports, { guildId, to, now: context.now })
    const changes = changesInWords(plan)
    const said = {
      changes: changes.slice(0, rewindChanges_max),
      truncated: changes.length > rewindChanges_max,
      lost: lostInWords(plan),
    }
    const total = stepsIn(plan)
    if (dryRun || total === 0) return { job_id: null, ...said }
    const jobId = await queueOrderedWork(ports, caller, {
      task: 'rewind_guild',
      work: { guildId, to, ...orderedBy(caller) },
      payload: { guild_id: guildId, to },
      total,
    })
    return { job_id: jobId, ...said }
  }
}
