import type { ExplainedEventObject, ExplanationObject } from './explain.ts'

/** An event with those that it led to, in the order of history. */
export interface ExplainedBranch {
  readonly event: ExplainedEventObject
  readonly ledTo: readonly ExplainedBranch[]
}

/** The events of a chain by their causes. Those of a command, or of an event that is not in the chain, come first. */
export function treeOf({ nodes }: Pick<ExplanationObject, 'nodes'>): readonly ExplainedBranch[] {
  const ids = new Set(nodes.map(({ event_id }) => event_id))
  const byCause = new Map<string, ExplainedEventObject[]>()
  for (const node of nodes) {
    const ofSameCause = byCause.get(node.causation_id)
    if (ofSameCause) ofSameCause.push(node)
    else byCause.set(node.causation_id, [node])
  }
  const branch = (event: ExplainedEventObject): ExplainedBranch => ({
    event,
    ledTo: (byCause.get(event.event_id) ?? []).map(branch),
  })
  return nodes.filter(({ causation_id }) => !ids.has(causation_id)).map(branch)
}
