import {
  explanationOf,
  type ExplainedRequestObject,
  type ExplanationObject,
} from '../../application/administration/history/explain.ts'
import { treeOf, type ExplainedBranch } from '../../application/administration/history/explained-tree.ts'
import { nothingRevealed } from '../../application/administration/history/masked-event.ts'
import { openQueries } from '../../projections/read-models.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import { besideServer } from './beside.ts'
import { actorObjectText, type Print } from './printed-events.ts'
import { unlessRefused } from './refused-moments.ts'

/**
 * Prints everything that followed from the requests that an entry of the admin audit log, an event, an id of a request or a text with
 * one of these belongs to: the events by their causes, or the answer of the Admin API with `json`. Leaves out what is personal.
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
  const { requests, nodes, truncated } = explanation
  for (const request of requests) {
    printRequest(request, print)
    const ofRequest = nodes.filter(({ correlation_id }) => correlation_id === request.id)
    for (const branch of treeOf({ nodes: ofRequest })) printBranch(branch, 1, print)
  }
  const counted = `${nodes.length} ${nodes.length === 1 ? 'event' : 'events'}`
  print(truncated ? `The first ${counted}; there are more.` : `${counted}.`)
}

function printRequest(request: ExplainedRequestObject, print: Print): void {
  const { id, client_request_id, operation, at, actor, answer, audit_log_ids } = request
  const chosen = client_request_id === null ? '' : ` (${client_request_id})`
  print(`Request ${id}${chosen}${operation === null ? '' : `: ${operation}`}`)
  print(`${at}, by ${actorObjectText(actor)}${answer === null ? '' : `, answered: ${answer}`}`)
  for (const entry of audit_log_ids) print(`recorded in the admin audit log as ${entry}`)
}

function printBranch({ event, ledTo }: ExplainedBranch, depth: number, print: Print): void {
  const { type, stream, revision, at, actor, event_id } = event
  print(
    `${'  '.repeat(depth)}${type}, in ${stream} as event ${revision}, ${at}, by ${actorObjectText(actor)}, ${event_id}`,
  )
  for (const branch of ledTo) printBranch(branch, depth + 1, print)
}
