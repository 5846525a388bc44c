import type { Decider, Decision, DomainEvent } from '../../domain/kernel/decider.ts'
import { field } from '../../domain/kernel/refusal.ts'
import { categoryOf, type StreamName } from '../../domain/streams.ts'
import { metadataOf, type CommandContext } from '../commands/command-context.ts'
import { Refused, reject } from '../commands/refused.ts'
import { working } from '../observation/at-work.ts'
import { trace } from '../observation/traces.ts'
import type { AppendResult, EventStore, NewEvent } from '../ports/event-store.ts'
import { AppendTooLarge } from '../failures/append-too-large.ts'
import { findEarlierTry, type Executed } from './earlier-try.ts'
import { pauseAfterConflict } from './pause-after-conflict.ts'
import type { Freshness, Loaded, StateCache } from './state-cache.ts'

/** A command, the stream that it is executed on, and what that takes. */
export interface Execution<State, Command, Event extends DomainEvent> {
  readonly decider: Decider<State, Command, Event>
  readonly store: EventStore
  readonly states: StateCache<State, Event>
  /** Called with each append that came too late. */
  readonly onConflict: ((stream: StreamName) => void) | undefined
  readonly stream: StreamName
  readonly command: Command
  /** The command's name, which its event ids follow from. */
  readonly step: string
  readonly context: CommandContext
}

export const attempts_max = 16

/**
 * The way of every command: look for an earlier try, load, decide, append, answer. An append succeeds only where the decision was
 * made on the current state. Where another process was faster, the command is decided again on what that process left. A
 * refusal, or no change, appends nothing: it is final only where it was decided on the current state.
 */
export async function execute<State, Command, Event extends DomainEvent>(
  execution: Execution<State, Command, Event>,
  startFrom: Freshness,
): Promise<Executed<State>> {
  const earlier = await findEarlierTry(execution)
  if (earlier) return earlier
  let freshness = startFrom
  for (let conflicts = 0; conflicts < attempts_max; freshness = 'current') {
    const loaded = await load(execution, freshness)
    const decision = decide(execution, loaded)
    if (appendsNothing(decision) && freshness !== 'current') continue
    if (decision.outcome === 'refused') throw new Refused(decision.refusal)
    const appended = await append(execution, loaded, decision.events)
    if (appended.outcome !== 'conflict') return answer(execution, loaded, decision.events, appended)
    conflicts += 1
    await pauseAfterConflict(conflicts)
  }
  return reject('CONFLICT')
}

function load<State, Command, Event extends DomainEvent>(
  { states, stream }: Execution<State, Command, Event>,
  freshness: Freshness,
): Promise<Loaded<State>> {
  return states.load(stream, freshness)
}

function decide<State, Command, Event extends DomainEvent>(
  { decider, command, step, context }: Execution<State, Command, Event>,
  { state }: Loaded<State>,
): Decision<Event> {
  return working(`command ${step}`, () => decider.decide(state, command), context.noteSpent)
}

function appendsNothing(decision: Decision<unknown>): boolean {
  return decision.outcome === 'refused' || decision.events.length === 0
}

type Appended = AppendResult | { readonly outcome: 'unchanged' }

async function append<State, Command, Event extends DomainEvent>(
  { store, states, onConflict, stream, step, context }: Execution<State, Command, Event>,
  { revision }: Loaded<State>,
  events: readonly Event[],
): Promise<Appended> {
  if (events.length === 0) return { outcome: 'unchanged' }
  const recorded = events.map((event, index): NewEvent => ({
    ...event,
    metadata: metadataOf(context, stream, step, index),
  }))
  const began_ms = performance.now()
  try {
    const appended = await store.append(stream, revision, recorded)
    trace(began_ms, () => ({
      name: `append ${categoryOf(stream) ?? 'unknown'}`,
      correlationId: context.correlationId,
      attributes: {
        'guildhall.command': step,
        'guildhall.events': events.length,
        'guildhall.outcome': appended.outcome,
      },
    }))
    if (appended.outcome === 'conflict') onConflict?.(stream)
    return appended
  } catch (error) {
    if (error instanceof AppendTooLarge) reject('INVALID_FORM_BODY', field('root', 'TOO_LARGE'))
    // Nobody knows now whether the events are there: the next command reads the stream anew.
    states.forget(stream)
    throw error
  }
}

/** The state after the command. The context learns how far the caller must be able to read, also where others did the work. */
async function answer<State, Command, Event extends DomainEvent>(
  { states, stream, step, context }: Execution<State, Command, Event>,
  loaded: Loaded<State>,
  events: readonly Event[],
  appended: Exclude<Appended, { readonly outcome: 'conflict' }>,
): Promise<Executed<State>> {
  if (appended.outcome !== 'unchanged') context.noteWritten(appended.position)
  const after = async (): Promise<Loaded<State>> => {
    switch (appended.outcome) {
      case 'unchanged':
        return loaded
      case 'repeated':
        return states.load(stream, 'current')
      case 'appended':
        return working(`command ${step}`, () => states.advance(stream, loaded, events, appended), context.noteSpent)
    }
  }
  const { state, revision, position } = await after()
  context.noteSettled(position)
  return {
    state,
    revision,
    position,
    changed: appended.outcome === 'appended',
    repeated: appended.outcome === 'repeated',
    appended: events,
  }
}
