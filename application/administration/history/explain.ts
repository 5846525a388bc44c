import type { EntryId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import type { EventStore, RecordedEvent } from '../../ports/event-store.ts'
import type { HistoryQueries, IndexedEvent } from '../../ports/queries/history-queries.ts'
import type { HistoryEventObject } from '../../wire-objects/administration/history-objects.ts'
import {
  explainedWork,
  type ExplainedJobObject,
  type ExplainedMailObject,
  type ExplainedWork,
  type WorkNeeds,
} from './explained-work.ts'
import { explainedRequest, type ExplainedRequestObject } from './explained-request.ts'
import type { Revealed } from './masked-event.ts'
import { revealedTo } from './read-stream.ts'
import { requestsNamed } from './requests-named.ts'
import { objectOfEvent } from './objects-for-readers.ts'
import { readEach } from './search-events.ts'

/** How many events are explained at most, and how many jobs and mails of each request. */
export const explainedEvents_max = 1000
const explainedWork_max = 200

/** An event of a chain, with what it was followed by outside of the event store. */
export interface ExplainedEventObject extends HistoryEventObject {
  /** The part of the system that acted, for instance a process manager that finished what a request began; null for people. */
  readonly finished_by: string | null
  /** The names of the read models that take the event. */
  readonly read_models: readonly string[]
  /** The names of the dispatches that it may have led to. */
  readonly dispatches: readonly string[]
}

/** Everything that followed from a request, or from an act of the system; from several requests, if a client gave them one id. */
export interface ExplanationObject extends ExplainedWork {
  /** The oldest first. */
  readonly requests: readonly ExplainedRequestObject[]
  /** Those of one request after those of another, each oldest first. */
  readonly nodes: readonly ExplainedEventObject[]
  /** From a command or an event to the event, the job or the mail that it led to. */
  readonly edges: readonly { readonly from: string; readonly to: string }[]
  /** Whether there is more than is explained. */
  readonly truncated: boolean
}

/** What an explanation is read from. */
export interface ExplainNeeds extends WorkNeeds {
  readonly dispatchesOf: Ports['dispatchesOf']
  readonly successStatusOf: Ports['successStatusOf']
  readonly events: Pick<EventStore, 'eventAt'>
  readonly queries: {
    readonly history: Pick<HistoryQueries, 'find' | 'ofCorrelation' | 'ofEntry' | 'readModelsOf' | 'requestsOf'>
  }
}

/**
 * The chains that an entry of the admin audit log, an event or a request is part of, for administrators. Refuses as `explanationOf`
 * (rules/administration#history).
 */
export function explainHistory(
  ports: Pick<Ports, 'backgroundJobs' | 'dispatchesOf' | 'events' | 'mail' | 'queries' | 'successStatusOf'>,
) {
  return async (caller: Caller, id: string, reveal: boolean): Promise<ExplanationObject> =>
    explanationOf(ports, id, revealedTo(caller, reveal))
}

/** The chains that an id or a text names, oldest first. Refuses with NOT_FOUND for what no event knows. */
export async function explanationOf(needs: ExplainNeeds, id: string, revealed: Revealed): Promise<ExplanationObject> {
  const { correlationIds, hasMore } = await requestsNamed(needs.queries.history, id)
  const requests: ExplainedRequestObject[] = []
  const nodes: ExplainedEventObject[] = []
  const jobs: ExplainedJobObject[] = []
  const mails: ExplainedMailObject[] = []
  let truncated = hasMore
  for (const correlationId of correlationIds) {
    const left = explainedEvents_max - nodes.length
    const indexed = await needs.queries.history.ofCorrelation(correlationId, left + 1)
    truncated ||= indexed.length > left
    const read = await readEach(needs.events, indexed.slice(0, left))
    const chain = read.map((event) => ({ event, shown: explainedEvent(needs, event, revealed) }))
    const [first] = chain
    if (!first) continue
    nodes.push(...chain.map(({ shown }) => shown))
    const work = await explainedWork(needs, correlationId, explainedWork_max + 1)
    truncated ||= Math.max(work.jobs.length, work.mails.length) > explainedWork_max
    jobs.push(...work.jobs.slice(0, explainedWork_max))
    mails.push(...work.mails.slice(0, explainedWork_max))
    requests.push({ ...explainedRequest(needs, first.shown, chain), audit_log_ids: entriesOf(indexed) })
  }
  if (requests.length === 0) return reject('NOT_FOUND')
  const edges = [
    ...nodes.map(({ causation_id, event_id }) => ({ from: causation_id, to: event_id })),
    ...[...jobs, ...mails].map(({ causation_id, id: to }) => ({ from: causation_id, to })),
  ]
  return { requests, nodes, jobs, mails, edges, truncated }
}

function explainedEvent(
  { dispatchesOf, queries: { history } }: ExplainNeeds,
  event: RecordedEvent,
  revealed: Revealed,
): ExplainedEventObject {
  const { actor } = event.metadata
  return {
    ...objectOfEvent(event, revealed),
    finished_by: actor.kind === 'system' ? actor.name : null,
    read_models: history.readModelsOf(event.type),
    dispatches: dispatchesOf(event),
  }
}

/** The entries of the admin audit log that the chain is part of, in the order of history. */
function entriesOf(indexed: readonly IndexedEvent[]): readonly EntryId[] {
  return [...new Set(indexed.flatMap(({ entryId: entry }) => entry ?? []))]
}
