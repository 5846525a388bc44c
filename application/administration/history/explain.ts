import { entryId, type EntryId } from '../../../domain/ids/ids.ts'
import { parseSnowflake } from '../../../domain/ids/snowflake.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { HistoryQueries, IndexedEvent } from '../../ports/queries/history-queries.ts'
import type { HistoryEventObject } from '../../wire-objects/administration/history-objects.ts'
import type { Revealed } from './masked-event.ts'
import { revealedTo } from './read-stream.ts'
import { objectOfEvent } from './objects-for-readers.ts'
import { readEach } from './search-events.ts'

/** How many events of a chain are explained at most. */
export const explainedEvents_max = 1000

/** An event of a chain, with what it was followed by outside of the event store. */
export interface ExplainedEventObject extends HistoryEventObject {
  /** The part of the system that acted, for instance a process manager that finished what a request began; null for people. */
  readonly finished_by: string | null
  /** The names of the read models that take the event. */
  readonly read_models: readonly string[]
}

/** Everything that followed from one request, or from one act of the system. */
export interface ExplanationObject {
  readonly request: {
    readonly id: string
    /** Null where no event of the chain names it. */
    readonly operation: string | null
    readonly actor: HistoryEventObject['actor']
    readonly at: string
    readonly audit_log_ids: readonly EntryId[]
  }
  /** Oldest first. */
  readonly nodes: readonly ExplainedEventObject[]
  /** From a command or an event to the event that it led to. */
  readonly edges: readonly { readonly from: string; readonly to: string }[]
  /** Whether the chain has more events than are explained. */
  readonly truncated: boolean
}

/** What an explanation is read from. */
export interface ExplainNeeds {
  readonly events: Pick<EventStore, 'eventAt'>
  readonly queries: { readonly history: Pick<HistoryQueries, 'find' | 'ofCorrelation' | 'ofEntry' | 'readModelsOf'> }
}

/**
 * The whole chain that an entry of the admin audit log, an event or a request is part of, for administrators. Refuses as `explanationOf`
 * (rules/administration#history).
 */
export function explainHistory({ events, queries }: Pick<Ports, 'events' | 'queries'>) {
  return async (caller: Caller, id: string, reveal: boolean): Promise<ExplanationObject> =>
    explanationOf({ events, queries }, id, revealedTo(caller, reveal))
}

/** The whole chain that an id is part of, oldest first. Refuses with NOT_FOUND for an id that no event knows. */
export async function explanationOf(
  { events, queries: { history } }: ExplainNeeds,
  id: string,
  revealed: Revealed,
): Promise<ExplanationObject> {
  const request = await requestOf(history, id)
  const indexed = await history.ofCorrelation(request, explainedEvents_max + 1)
  const read = await readEach(events, indexed.slice(0, explainedEvents_max))
  const nodes = read.map((event): ExplainedEventObject => {
    const { actor } = event.metadata
    return {
      ...objectOfEvent(event, revealed),
      finished_by: actor.kind === 'system' ? actor.name : null,
      read_models: history.readModelsOf(event.type),
    }
  })
  const [first] = nodes
  if (!first) return reject('NOT_FOUND')
  return {
    request: {
      id: request,
      operation: nodes.find(({ operation }) => operation !== null)?.operation ?? null,
      actor: first.actor,
      at: first.at,
      audit_log_ids: entriesOf(indexed),
    },
    nodes,
    edges: nodes.map(({ causation_id, event_id }) => ({ from: causation_id, to: event_id })),
    truncated: indexed.length > explainedEvents_max,
  }
}

/** The request that an entry of the admin audit log or an event belongs to; else the id is taken for that of a request. */
async function requestOf(history: ExplainNeeds['queries']['history'], id: string): Promise<string> {
  if (!requestId.test(id)) return reject('NOT_FOUND')
  const entry = parseSnowflake(id)
  const [ofEntry] = entry.ok ? await history.ofEntry(entryId(entry.id), 1) : []
  const found: IndexedEvent | undefined = ofEntry ?? (uuid.test(id) ? await history.find(id) : undefined)
  return found?.correlationId ?? id
}

/** The entries of the admin audit log that the chain is part of, in the order of history. */
function entriesOf(indexed: readonly IndexedEvent[]): readonly EntryId[] {
  return [...new Set(indexed.flatMap(({ entryId: entry }) => entry ?? []))]
}

/** What the id of an entry, an event or a request may look like. */
const requestId = /^[\u0020-\u007e]{1,128}$/
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
