import {
  aggregateOf,
  type Aggregate,
  type AggregateSettings,
  type Served,
} from '../application/aggregates/aggregates.ts'
import type { Aggregates } from '../application/ports.ts'
import {
  aggregateNames,
  aggregates,
  type AggregateName,
  type CommandOf,
  type EventsOf,
  type StateOf,
} from '../domain/aggregates.ts'

/** Every kind of aggregate over one event store. */
export function openAggregates(settings: AggregateSettings): Aggregates {
  const open = <Name extends AggregateName>(name: Name): Aggregate<StateOf<Name>, CommandOf<Name>> =>
    aggregateOf(definitions[name], settings)
  // `open` checks each type; `fromEntries` loses the names.
  return Object.fromEntries(aggregateNames.map((name) => [name, open(name)])) as Aggregates
}

/** The definitions, typed so that the compiler can follow one of them by its name. */
const definitions: { readonly [Name in AggregateName]: Served<StateOf<Name>, CommandOf<Name>, EventsOf<Name>> } =
  aggregates
