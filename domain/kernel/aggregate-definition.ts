import type { Decider, Decision } from './decider.ts'
import type { EventCatalog, EventDefinitions, EventOf } from './event-catalog.ts'

/**
 * All that one kind of aggregate is: how it decides, what its events are, and how its states are kept. `domain/aggregates.ts` lists
 * every one; stores, ports, tests and the reference follow from that list.
 */
export interface AggregateDefinition<Category extends string, State, Command, Events extends EventDefinitions>
  extends Decider<State, Command, EventOf<Events>>, Pick<EventCatalog, 'subjectOf' | 'snapshots'> {
  readonly category: Category
  readonly events: Events
  /** Names the shape of the state in snapshots. Raise it when that changes, so that no snapshot of another shape is read. */
  readonly stateVersion: number
  /** What the name of a stream has after `<category>-`; for the reference. */
  readonly identifiedBy: string
  /** Which rules hold because one stream decides them; for the reference. */
  readonly guards: string
}

/** Defines an aggregate. State and command are those of `decide` and `evolve`. */
export function aggregate<const Category extends string, State, Command, Events extends EventDefinitions>(
  definition: Parts<Category, State, Command, Events>,
): AggregateDefinition<Category, State, Command, Events> {
  return definition
}

/** As AggregateDefinition. `NoInfer` has the compiler take the types from `decide`, `evolve` and `events`, not from `initial`. */
interface Parts<Category extends string, State, Command, Events extends EventDefinitions> extends Omit<
  AggregateDefinition<Category, State, Command, Events>,
  'decide' | 'evolve' | 'initial'
> {
  readonly decide: (state: State, command: Command) => Decision<EventOf<NoInfer<Events>>>
  readonly evolve: (state: State, event: EventOf<NoInfer<Events>>) => State
  readonly initial: NoInfer<State>
}
