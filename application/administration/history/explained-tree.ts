import type { ExplainedEventObject, ExplanationObject } from './explain.ts'
import type { ExplainedJobObject, ExplainedMailObject } from './explained-work.ts'

/** What a command or an event led to, each in the order in which it came. */
export interface ExplainedTree {
  readonly events: readonly ExplainedBranch[]
  readonly jobs: readonly ExplainedJobObject[]
  readonly mails: readonly ExplainedMailObject[]
}

/** An event with what it led to. */
export interface ExplainedBranch {
  readonly event: ExplainedEventObject
  readonly ledTo: ExplainedTree
}

type Explained = Pick<ExplanationObject, 'nodes' | 'jobs' | 'mails'>

/** A chain by its causes. What a command led to, or an event that is not in the chain, comes first. */
export function treeOf({ nodes, jobs, mails }: Explained): ExplainedTree {
  const ids = new Set(nodes.map(({ event_id }) => event_id))
  const [events, work, letters] = [byCause(nodes), byCause(jobs), byCause(mails)]
  const ledTo = (cause: string): ExplainedTree => ({
    events: (events.get(cause) ?? []).map(branch),
    jobs: work.get(cause) ?? [],
    mails: letters.get(cause) ?? [],
  })
  const branch = (event: ExplainedEventObject): ExplainedBranch => ({ event, ledTo: ledTo(event.event_id) })
  const isFirst = ({ causation_id }: { readonly causation_id: string }): boolean => !ids.has(causation_id)
  return { events: nodes.filter(isFirst).map(branch), jobs: jobs.filter(isFirst), mails: mails.filter(isFirst) }
}

function byCause<Item extends { readonly causation_id: string }>(
  items: readonly Item[],
): ReadonlyMap<string, readonly Item[]> {
  const found = new Map<string, Item[]>()
  for (const item of items) {
    const ofSameCause = found.get(item.causation_id)
    if (ofSameCause) ofSameCause.push(item)
    else found.set(item.causation_id, [item])
  }
  return found
}
