import { explanationOf, type ExplanationObject } from '../../application/administration/history/explain.ts'
import { treeOf, type ExplainedBranch } from '../../application/administration/history/explained-tree.ts'
import { nothingRevealed } from '../../application/administration/history/masked-event.ts'
import { openQueries } from '../../projections/read-models.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import { besideServer } from './beside.ts'
import { actorObjectText, type Print } from './printed-events.ts'
import { unlessRefused } from './refused-moments.ts'

/**
 * Prints everything that followed from the request that an entry of the admin audit log, an event or a request belongs to: the events
 * by their causes, or the answer of the Admin API with `json`. Leaves out what is personal.
 */
export async function explain(id: string, { json = false }: { readonly json?: boolean }, print: Print): Promise<void> {
  await besideServer(async (store) => {
    await refuseWithoutReadModels(store)
    const needs = { events: store.events, queries: openQueries(store.database) }
    const explanation = await unlessRefused(explanationOf(needs, id, nothingRevealed), `No event belongs to ${id}.`)
    if (json) print(JSON.stringify(explanation))
    else printExplanation(explanation, print)
  })
}

function printExplanation(explanation: ExplanationObject, print: Print): void {
  const { request, nodes, truncated } = explanation
  print(`Request ${request.id}${request.operation === null ? '' : `: ${request.operation}`}`)
  print(`${request.at}, by ${actorObjectText(request.actor)}`)
  for (const entry of request.audit_log_ids) print(`recorded in the admin audit log as ${entry}`)
  for (const branch of treeOf(explanation)) printBranch(branch, 1, print)
  const counted = `${nodes.length} ${nodes.length === 1 ? 'event' : 'events'}`
  print(truncated ? `The first ${counted}; there are more.` : `${counted}.`)
}

function printBranch({ event, ledTo }: ExplainedBranch, depth: number, print: Print): void {
  const { type, stream, revision, at, actor, event_id } = event
  print(
    `${'  '.repeat(depth)}${type}, in ${stream} as event ${revision}, ${at}, by ${actorObjectText(actor)}, ${event_id}`,
  )
  for (const branch of ledTo) printBranch(branch, depth + 1, print)
}
