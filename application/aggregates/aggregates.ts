import type { Category } from '../../domain/aggregates.ts'
import type { Decider, DomainEvent } from '../../domain/kernel/decider.ts'
import { streamName, type StreamName } from '../../domain/streams.ts'
import type { CommandContext } from '../commands/command-context.ts'
import { keyedQueue } from '../commands/keyed-queue.ts'
import { findEarlierTry, type Executed } from './earlier-try.ts'
import { execute } from './execute.ts'
import { stateCache, type CacheSettings, type Freshness, type Loaded } from './state-cache.ts'

/** The states of one kind of aggregate, and the way to change them. */
export interface Aggregate<State, Command extends { readonly type: string }> {
  /** A state; the current one unless told otherwise. */
  load(id: string, freshness?: Freshness): Promise<Loaded<State>>
  /**
   * Decides a command and appends what follows from it. Resolves once the events are durable; the context then knows their
   * position. Rejects with `Refused` where the domain refuses, with CONFLICT when `attempts_max` others were faster, and with
   * INVALID_FORM_BODY (TOO_LARGE at `root`) where the events are more than a store takes at once: nothing was written.
   *
   * The first attempt decides on a state as fresh as `startFrom` says. The outcome never depends on it: a state that turns
   * out to be old is loaded again. For an id that was just made up, `initial` spares the read.
   */
  execute(id: string, command: Command, context: CommandContext, startFrom?: Freshness): Promise<Executed<State>>
  /**
   * What an earlier try of the same command has done, and the current state; undefined where none has done anything. For a
   * command after which its sender may not send it: who may is asked only where there is nothing.
   */
  findEarlierTry(id: string, command: Command['type'], context: CommandContext): Promise<Executed<State> | undefined>
}

export interface AggregateSettings extends CacheSettings {
  /** Called with each append that came too late, for the metrics. */
  readonly onConflict?: (stream: StreamName) => void
}

/** What serving a kind of aggregate needs of its definition. */
export interface Served<State, Command, Event extends DomainEvent> extends Decider<State, Command, Event> {
  readonly category: Category
  readonly stateVersion: number
}

/**
 * Serves one kind of aggregate from a cache of states by stream and revision. Commands of one stream run one after another
 * within this process.
 */
export function aggregateOf<State, Command extends { readonly type: string }, Event extends DomainEvent>(
  definition: Served<State, Command, Event>,
  settings: AggregateSettings,
): Aggregate<State, Command> {
  const { category, stateVersion } = definition
  const { store, onConflict } = settings
  const states = stateCache(definition, settings, stateVersion)
  const turns = keyedQueue()
  const streamOf = (id: string): StreamName => streamName(category, id)
  return {
    load: (id, freshness = 'current') => states.load(streamOf(id), freshness),
    execute: (id, command, context, startFrom = 'cached') => {
      const stream = streamOf(id)
      const execution = { decider: definition, store, states, onConflict, stream, command, step: command.type, context }
      return turns.run(stream, () => execute(execution, startFrom))
    },
    findEarlierTry: (id, step, context) => findEarlierTry({ store, states, stream: streamOf(id), step, context }),
  }
}
