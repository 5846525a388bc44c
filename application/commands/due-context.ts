import type { StreamName } from '../../domain/streams.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { HistoryQueries } from '../ports/queries/history-queries.ts'
import { dueActs, type DueAct } from './acts-of-system.ts'
import type { CommandContext } from './command-context.ts'
import { causedContext, systemContext } from './system-context.ts'

/** Where the event is found that made an act due. */
export interface DueNeeds {
  readonly events: Pick<EventStore, 'eventAt'>
  readonly queries: { readonly history: Pick<HistoryQueries, 'newestOf'> }
}

/**
 * The context of what the system does because it is due: it belongs to the chain of the event that made it so, and has that event as
 * its cause. Where the index of history does not have that event yet, the act begins a chain of its own
 * (rules/administration#history).
 */
export async function dueContext(
  { events, queries }: DueNeeds,
  act: DueAct,
  stream: StreamName,
  now: Timestamp,
): Promise<CommandContext> {
  const found = await queries.history.newestOf(stream, dueActs[act])
  const cause = found && (await events.eventAt(stream, found.revision))
  return cause ? causedContext(cause.metadata, act, now) : systemContext(act, now)
}
