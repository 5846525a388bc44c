import { postgresBackgroundJobs } from '../../adapters/background-jobs/postgres-background-jobs.ts'
import { openOutbox } from '../../adapters/mail/outbox.ts'
import { explanationOf, type ExplanationObject } from '../../application/administration/history/explain.ts'
import type { ExplainedRequestObject } from '../../application/administration/history/explained-request.ts'
import {
  treeOf,
  type ExplainedBranch,
  type ExplainedTree,
} from '../../application/administration/history/explained-tree.ts'
import { nothingRevealed } from '../../application/administration/history/masked-event.ts'
import { successStatusOf } from '../../adapters/http/operations/success-status.ts'
import { dispatchesOf } from '../../gateway/dispatches/dispatches-of.ts'
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
    const needs = {
      dispatchesOf,
      successStatusOf,
      backgroundJobs: postgresBackgroundJobs(store.database),
      events: store.events,
      mail: openOutbox(store.database, store.personalDataKey),
      queries: openQueries(store.database),
    }
    const explanation = await unlessRefused(explanationOf(needs, id, nothingRevealed), `No event belongs to ${id}.`)
    if (json) print(JSON.stringify(explanation))
    else printExplanation(explanation, print)
  })
}

function printExplanation(explanation: ExplanationObject, print: Print): void {
  const { requests, nodes, jobs, mails, truncated } = explanation
  for (const request of requests) {
    printRequest(request, print)
    const isOwn = ({ correlation_id }: { readonly correlation_id: string }): boolean => correlation_id === request.id
    printTree(treeOf({ nodes: nodes.filter(isOwn), jobs: jobs.filter(isOwn), mails: mails.filter(isOwn) }), 1, print)
  }
  const counted = `${nodes.length} ${nodes.length === 1 ? 'event' : 'events'}`
  print(truncated ? `The first ${counted}; there are more.` : `${counted}.`)
}

function printRequest(request: ExplainedRequestObject, print: Print): void {
  const { id, client_request_id, operation, at, actor, answer, status, code, audit_log_ids } = request
  const told = [answer, status, code].filter((part) => part !== null)
  const chosen = client_request_id === null ? '' : ` (${client_request_id})`
  print(`Request ${id}${chosen}${operation === null ? '' : `: ${operation}`}`)
  print(`${at}, by ${actorObjectText(actor)}${told.length === 0 ? '' : `, answered: ${told.join(' ')}`}`)
  for (const entry of audit_log_ids) print(`recorded in the admin audit log as ${entry}`)
}

function printBranch({ event, ledTo }: ExplainedBranch, depth: number, print: Print): void {
  const { type, stream, revision, at, actor, event_id, dispatches } = event
  print(
    `${'  '.repeat(depth)}${type}, in ${stream} as event ${revision}, ${at}, by ${actorObjectText(actor)}, ${event_id}`,
  )
  if (dispatches.length > 0) print(`${'  '.repeat(depth + 1)}dispatches ${dispatches.join(', ')}`)
  printTree(ledTo, depth + 1, print)
}

function printTree({ events, jobs, mails }: ExplainedTree, depth: number, print: Print): void {
  const indented: Print = (line) => print(`${'  '.repeat(depth)}${line}`)
  for (const { task_type, id, at, status } of jobs) indented(`job ${task_type} ${id}, ${at}, ${status}`)
  for (const { template, account_id, at, state } of mails)
    indented(`mail ${template ?? '(erased)'} to account ${account_id}, ${at}, ${state}`)
  for (const branch of events) printBranch(branch, depth, print)
}
