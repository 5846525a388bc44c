import type { Category } from '../../domain/aggregates.js'
import type { Decider, Decision, DomainEvent } from '../../domain/kernel/decider.js'
import { field } from '../../domain/kernel/refusal.js'
import { streamName, type StreamName } from '../../domain/streams.js'
import { metadataOf, type CommandContext } from '../commands/command-context.js'
import { keyedQueue } from '../commands/keyed-queue.js'
import { Refused, reject } from '../commands/refused.js'
import { working } from '../ports/at-work.js'
import {
  AppendTooLarge,
  type EventStore,
  type NewEvent,
  type Position,
  type RecordedEvent,
} from '../ports/event-store.js'
import { pauseAfterConflict } from './pause-after-conflict.js'
import { stateCache, type CacheSettings, type Loaded, type StateCache } from './state-cache.js'

/** The states of one kind of aggregate, and the way to change them. */
export interface Aggregate<State, Command extends { readonly type: string }> {
  /** The state now: what the store holds at the moment of the call, or later. */
  load(id: string): Promise<Loaded<State>>
  /**
   * The state that this process has at hand: it holds what this process has appended, and perhaps not what another one has.
   * Reads the store only where nothing is at hand.
   */
  atHand(id: string): Promise<Loaded<State>>
  /**
   * Decides a command and appends what follows from it. Resolves once the events are durable; the context then knows their
   * position. Rejects with `Refused` where the domain refuses, with CONFLICT when `attempts_max` others were faster, and with
   * INVALID_FORM_BODY (TOO_LARGE at `root`) where the events are more than a store takes at once: nothing was written.
   */
  execute(id: string, command: Command, context: CommandContext): Promise<Executed<State>>
  /**
   * The same, for an id that was just made up: nothing is read before the append. Where the stream exists after all, the
   * append finds out, and the decision is taken again on what is there.
   */
  executeNew(id: string, command: Command, context: CommandContext): Promise<Executed<State>>
  /**
   * What an earlier try of the same command has done, and the state now; undefined where none has done anything. For a command after
   * which its sender may not send it: who may is asked only where there is nothing.
   */
  repeated(id: string, command: Command['type'], context: CommandContext): Promise<Executed<State> | undefined>
}

export interface Executed<State> extends Loaded<State> {
  /** Whether this call changed anything; false also where an earlier try of the same command did. */
  readonly changed: boolean
  /** Whether an earlier try of the same command had done it. */
  readonly repeated: boolean
}

export interface AggregateSettings extends CacheSettings {
  /** Told of each append that came too late, for the metrics. */
  readonly onConflict?: (stream: StreamName) => void
}

export const attempts_max = 16

/** What serving a kind of aggregate needs of its definition. */
export interface Served<State, Command, Event extends DomainEvent> extends Decider<State, Command, Event> {
  readonly category: Category
  readonly stateVersion: number
}

/**
 * Serves one kind of aggregate from a cache of states by stream and revision. Commands of one stream run one after another
 * within this process; where another process was faster, only the missing tail is read and the decision is taken again.
 */
export function aggregateOf<State, Command extends { readonly type: string }, Event extends DomainEvent>(
  definition: Served<State, Command, Event>,
  settings: AggregateSettings,
): Aggregate<State, Command> {
  const { category, stateVersion } = definition
  const states = stateCache(definition, settings, stateVersion)
  const queue = keyedQueue()
  const run = (id: string, command: Command, context: CommandContext, isNew: boolean): Promise<Executed<State>> => {
    const stream = streamName(category, id)
    const decide = (state: State): Decision<Event> => definition.decide(state, command)
    const execution = { decide, step: command.type, settings, states, stream, context }
    return queue.run(stream, () => executeInTurn(execution, isNew ? () => states.blank() : () => states.atHand(stream)))
  }
  return {
    load: (id) => states.newest(streamName(category, id)),
    atHand: (id) => states.atHand(streamName(category, id)),
    execute: (id, command, context) => run(id, command, context, false),
    executeNew: (id, command, context) => run(id, command, context, true),
    repeated: (id, step, context) => earlierTry({ step, settings, states, stream: streamName(category, id), context }),
  }
}

/** One command on its way into one stream. */
interface Execution<State, Event> {
  readonly decide: (state: State) => Decision<Event>
  /** The command's name, which its event ids follow from. */
  readonly step: string
  readonly settings: AggregateSettings
  readonly states: StateCache<State, Event>
  readonly stream: StreamName
  readonly context: CommandContext
}

type Attempt<State> = Executed<State> | 'conflict'

const nothing = { changed: false, repeated: false } as const

async function executeInTurn<State, Event extends DomainEvent>(
  execution: Execution<State, Event>,
  start: () => Loaded<State> | Promise<Loaded<State>>,
): Promise<Executed<State>> {
  const { states, stream, settings } = execution
  const earlier = await earlierTry(execution)
  if (earlier) return earlier
  let from = await start()
  for (let attempts = 0; attempts < attempts_max; attempts += 1) {
    const outcome = await attemptOnNewest(execution, from)
    if (outcome !== 'conflict') {
      // Where nothing was left to do, another command did it: the caller reads that too.
      execution.context.noteSettled(outcome.position)
      return outcome
    }
    settings.onConflict?.(stream)
    await pauseAfterConflict(attempts + 1)
    from = await states.newest(stream)
  }
  return reject('CONFLICT')
}

/** What an earlier try of the same command, under the same Idempotency-Key, has done to this stream already. */
async function earlierTry<State, Event extends DomainEvent>({
  settings,
  states,
  stream,
  step,
  context,
}: Omit<Execution<State, Event>, 'decide'>): Promise<Executed<State> | undefined> {
  if (!context.mayRepeat) return undefined
  const found = await settings.store.findEvent(stream, metadataOf(context, stream, step, 0).eventId)
  if (!found) return undefined
  context.noteWritten(
    await lastPosition(settings.store, found, (index) => metadataOf(context, stream, step, index).eventId),
  )
  return { ...(await states.newest(stream)), changed: false, repeated: true }
}

/** The position of the last event of an append whose first one was found: its events stand one after another. */
async function lastPosition(
  store: EventStore,
  first: RecordedEvent,
  eventIdOf: (index: number) => string,
): Promise<Position> {
  let { position } = first
  let index = 1
  for await (const page of store.readStream(first.stream, first.revision)) {
    for (const event of page) {
      if (event.metadata.eventId !== eventIdOf(index)) return position
      position = event.position
      index += 1
    }
  }
  return position
}

/** An append proves that its state was the newest. A refusal, or no change, counts only when it was decided on the newest one. */
async function attemptOnNewest<State, Event extends DomainEvent>(
  execution: Execution<State, Event>,
  from: Loaded<State>,
): Promise<Attempt<State>> {
  const { states, stream } = execution
  try {
    const outcome = await attempt(execution, from)
    if (outcome === 'conflict' || outcome.changed || outcome.repeated) return outcome
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const newest = await states.newest(stream)
    if (newest.revision === from.revision) throw error
    return attempt(execution, newest)
  }
  const newest = await states.newest(stream)
  return newest.revision === from.revision ? { ...newest, ...nothing } : attempt(execution, newest)
}

async function attempt<State, Event extends DomainEvent>(
  execution: Execution<State, Event>,
  from: Loaded<State>,
): Promise<Attempt<State>> {
  const { decide, states, stream, step, context } = execution
  const inOneGo = <Result>(work: () => Result): Result => working(`command ${step}`, work, context.noteSpent)
  const decision = inOneGo(() => decide(from.state))
  if (decision.outcome === 'refused') throw new Refused(decision.refusal)
  if (decision.events.length === 0) return { ...from, ...nothing }
  const result = await append(execution, from, decision.events)
  if (result.outcome === 'conflict') return 'conflict'
  context.noteWritten(result.position)
  if (result.outcome === 'repeated') return { ...(await states.newest(stream)), changed: false, repeated: true }
  const next = inOneGo(() => states.advance(stream, from, decision.events, result))
  return { ...next, changed: true, repeated: false }
}

async function append<State, Event extends DomainEvent>(
  { settings, states, stream, step, context }: Execution<State, Event>,
  from: Loaded<State>,
  events: readonly Event[],
) {
  const recorded = events.map((event, index): NewEvent => ({
    ...event,
    metadata: metadataOf(context, stream, step, index),
  }))
  try {
    return await settings.store.append(stream, from.revision, recorded)
  } catch (error) {
    if (error instanceof AppendTooLarge) reject('INVALID_FORM_BODY', field('root', 'TOO_LARGE'))
    // Whether the events are there is not known now: the next command reads the stream anew.
    states.forget(stream)
    throw error
  }
}
