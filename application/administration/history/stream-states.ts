import { aggregates } from '../../../domain/aggregates.ts'
import type { DomainEvent } from '../../../domain/kernel/decider.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { categoryOf, type StreamName } from '../../../domain/streams.ts'
import { reject } from '../../commands/refused.ts'
import type { EventStore, RecordedEvent } from '../../ports/event-store.ts'
import { noStream } from '../../../domain/kernel/position.ts'
import { differences, type Json } from './differences.ts'
import { maskedEvent, type Revealed } from './masked-event.ts'
import type { Moment } from './moments.ts'

export type HistoryEvents = Pick<EventStore, 'readStream'>

/** Where history is read, and what of it is shown. */
interface Reading {
  readonly events: HistoryEvents
  readonly revealed: Revealed
}

/** An aggregate after one of its events. */
export interface StreamState {
  readonly stream: StreamName
  /** The newest event that the state has in it. */
  readonly event: RecordedEvent
  /** The state as its own `evolve` folds it, with null for what is left out. */
  readonly state: Json
  /** JSON pointers to what is personal and not shown. */
  readonly leftOut: readonly string[]
}

/** What a stream's events come to, one after another: the true state, and the one without what is not shown. */
export interface Step {
  readonly event: RecordedEvent
  readonly state: Json
  readonly shownState: Json
}

/**
 * The state of a stream at a moment. Refuses with NOT_FOUND for a stream without events, and with INVALID_FORM_BODY at `path`:
 * TIME_BEFORE_FIRST_EVENT, REVISION_AFTER_LAST_EVENT (rules/administration#history). Reads that stream alone, up to the moment.
 */
export async function stateAt(reading: Reading, stream: StreamName, moment: Moment, path = 'at'): Promise<StreamState> {
  const { last, hasLater } = await lastStep(reading, stream, moment)
  if (last === undefined && hasLater) reject('INVALID_FORM_BODY', field(path, 'TIME_BEFORE_FIRST_EVENT'))
  if (last === undefined) return reject('NOT_FOUND')
  if (moment.by === 'revision' && last.event.revision < moment.revision)
    reject('INVALID_FORM_BODY', field(path, 'REVISION_AFTER_LAST_EVENT'))
  return stateOf(stream, last)
}

/** The same; undefined if the stream had no event yet. */
export async function stateIfBegun(
  reading: Reading,
  stream: StreamName,
  moment: Moment,
): Promise<StreamState | undefined> {
  const { last } = await lastStep(reading, stream, moment)
  return last && stateOf(stream, last)
}

/** The last step that is not after a moment, and whether another one follows. */
async function lastStep(
  reading: Reading,
  stream: StreamName,
  moment: Moment,
): Promise<{ readonly last: Step | undefined; readonly hasLater: boolean }> {
  let last: Step | undefined
  for await (const { steps, hasLater } of stepsUntil(reading, stream, moment)) {
    last = steps.at(-1) ?? last
    if (hasLater) return { last, hasLater }
  }
  return { last, hasLater: false }
}

function stateOf(stream: StreamName, { event, state, shownState }: Step): StreamState {
  const leftOut = differences(shownState, state).map((difference) => difference.path)
  return { stream, event, state: shownState, leftOut }
}

/** Whether an event is no part of the state at a moment. */
export function isAfter({ revision, metadata }: RecordedEvent, moment: Moment): boolean {
  if (moment.by === 'revision') return revision > moment.revision
  return moment.by === 'time' && metadata.at > moment.time
}

/** Steps of a stream that were read together, none of them after the moment. */
export interface StepPage {
  readonly steps: readonly Step[]
  /** Whether an event after the moment follows; then no page does. */
  readonly hasLater: boolean
}

/**
 * Every step of a stream from its first event up to a moment, page by page: a promise for each step would cost as much as folding it.
 * Rejects with UnreadableEvent where an event cannot be read.
 */
export async function* stepsUntil(
  { events, revealed }: Reading,
  stream: StreamName,
  moment: Moment,
): AsyncGenerator<StepPage, void, undefined> {
  const next = stepper(stream, revealed)
  for await (const page of events.readStream(stream, noStream)) {
    const later = page.findIndex((event) => isAfter(event, moment))
    const hasLater = later >= 0
    yield { steps: (hasLater ? page.slice(0, later) : page).map(next), hasLater }
    if (hasLater) return
  }
}

/** Folds the events of a stream, one after another from the first on, each into the step that it is. */
function stepper(stream: StreamName, revealed: Revealed): (event: RecordedEvent) => Step {
  const { initial, evolve } = foldOf(stream)
  let state = initial
  let shownState = initial
  return (event) => {
    const { event: shown } = maskedEvent(event, revealed)
    const isSame = shown === event && shownState === state
    state = evolve(state, event)
    shownState = isSame ? state : evolve(shownState, shown)
    return { event, state, shownState }
  }
}

interface Fold {
  readonly initial: Json
  readonly evolve: (state: Json, event: DomainEvent) => Json
}

/** A state as its aggregate has it: states are plain JSON, and a stream has those of its own aggregate, which the compiler can't see. */
export function stateAs<State>(state: Json): State {
  return state as unknown as State
}

/** The other way: an aggregate's state as the plain JSON that it is. */
export function asJson(state: object): Json {
  return state as unknown as Json
}

/** The state of a stream before its first event. */
export function initialState(stream: StreamName): Json {
  return foldOf(stream).initial
}

/** The fold of a stream's aggregate. States are plain JSON, and the store gives each category its own events. */
function foldOf(stream: StreamName): Fold {
  const category = categoryOf(stream)
  const found = Object.values(aggregates).find((definition) => definition.category === category)
  return (found ?? reject('NOT_FOUND')) as unknown as Fold
}
