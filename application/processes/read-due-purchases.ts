import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { streamName } from '../../domain/streams.ts'
import { dueContext } from '../commands/due-context.ts'
import { Refused } from '../commands/refused.ts'
import { refreshOnce, type Refreshed } from '../identity/purchases/read-again.ts'
import { readSoon, type TellNeeds } from '../identity/purchases/tell-store.ts'
import type { DuePurchase } from '../ports/queries/store-purchase-queries.ts'
import type { Ports } from '../ports.ts'

type Needs = TellNeeds & Pick<Ports, 'events' | 'queries' | 'readModels'>

/** How many purchases one turn has read. */
export const turn_purchases_max = 200
/** After about ten hours of tries the job ends, and the next turn makes a new one. */
const tries_max = 10

/** A purchase that has to be read again later. The message names no purchase. */
export class NotReadYet extends Error {
  override readonly name = 'NotReadYet'
}

/**
 * Makes a turn: a job for each purchase that is due to be read from its store again, at most `turn_purchases_max`. A
 * purchase has one job at a time, whoever wants it read. The next turn goes on where this one ended, so that purchases
 * that cannot be read hide no others. Gives the number of due purchases seen.
 */
export function queueDuePurchases({
  jobs,
  queries,
}: Pick<Ports, 'jobs'> & { readonly queries: Pick<Ports['queries'], 'storePurchases'> }) {
  let after: DuePurchase | undefined
  return async (now: Timestamp): Promise<number> => {
    const due = await queries.storePurchases.due(now, turn_purchases_max, after)
    for (const { purchase } of due) await readSoon({ jobs }, purchase)
    after = due.length < turn_purchases_max ? undefined : due.at(-1)
    return due.length
  }
}

/**
 * Reads a purchase again, and tells its store what follows. Safe to repeat. Rejects with NotReadYet if the store does not answer or
 * does not take what it is told, or says nothing new: the queue tries it again, later each time. After `tries_max` it resolves: what is
 * still due gets a new job.
 */
export function readDuePurchase(ports: Needs) {
  return async (purchase: string, attempt: number, now: Timestamp): Promise<void> => {
    const context = await dueContext(ports, 'store refresh', streamName('store_purchase', purchase), now)
    const refreshed = await orUnanswered(refreshOnce(ports, purchase, context))
    await ports.readModels.reached(context.written)
    if (refreshed === 'done' || attempt >= tries_max) return
    throw new NotReadYet(reasons[refreshed])
  }
}

const reasons = {
  nothing: 'The store said nothing new',
  untold: 'The store was not told yet',
  unanswered: 'The store did not answer',
} as const

async function orUnanswered(refreshing: Promise<Refreshed>): Promise<Refreshed | 'unanswered'> {
  try {
    return await refreshing
  } catch (error) {
    if (error instanceof Refused) return 'unanswered'
    throw error
  }
}
