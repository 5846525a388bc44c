import { field } from '../../../domain/kernel/refusal.ts'
import type { StreamName } from '../../../domain/streams.ts'
import { reject } from '../../commands/refused.ts'
import type { RecordedEvent } from '../../ports/event-store.ts'
import { differences, valueAt, type Difference, type Json } from './differences.ts'
import type { Revealed } from './masked-event.ts'
import type { Moment } from './moments.ts'
import { initialState, isAfter, stepsUntil, type HistoryEvents, type Step } from './stream-states.ts'

/** A member of a state that changed between two moments. */
export interface MadeDifference extends Difference {
  /** Whether `before` and `after` are left out because they are personal. */
  readonly leftOut: boolean
  /** The newest event between the moments that changed it. */
  readonly by: RecordedEvent
}

/** What happened to a stream between two moments. */
export interface StreamDifference {
  readonly stream: StreamName
  /** The newest event at each moment; `from` is undefined where nothing had happened yet. */
  readonly from: RecordedEvent | undefined
  readonly to: RecordedEvent
  /** The state at the second moment, with null for what is left out. */
  readonly state: Json
  /** The true state at the first moment. */
  readonly stateBefore: Json
  /** In the order of the events that made them. */
  readonly differences: readonly MadeDifference[]
  /** The same from the last event between the moments on that changed the status; none where no event did. */
  readonly sinceStatus: readonly MadeDifference[]
}

/**
 * The members in which the states at two moments differ, each with the event that made it so. What was changed and changed back is
 * no difference. Before the first event there is the initial state, so a time before it may be the first moment. Refuses with
 * NOT_FOUND for a stream without events, and with INVALID_FORM_BODY: at `to` TIME_BEFORE_FIRST_EVENT, at either
 * REVISION_AFTER_LAST_EVENT, at `to` RANGE_ENDS_BEFORE_START (rules/administration#history).
 */
export async function streamDifference(
  reading: { readonly events: HistoryEvents; readonly revealed: Revealed },
  stream: StreamName,
  { from, to }: { readonly from: Moment; readonly to: Moment },
): Promise<StreamDifference> {
  const initial = initialState(stream)
  let start: Step | undefined
  let end: Step | undefined
  let turn: Step | undefined
  let state = initial
  const made = new Map<string, RecordedEvent>()
  let hasEvents = false
  for await (const { steps } of stepsUntil(reading, stream, to)) {
    hasEvents = true
    for (const step of steps) {
      if (isAfter(step.event, from)) {
        noteMade(made, step, state)
        if (statusOf(step.state) !== statusOf(state)) turn = step
      } else start = step
      state = step.state
      end = step
    }
  }
  if (!hasEvents) reject('NOT_FOUND')
  if (!end) return reject('INVALID_FORM_BODY', field('to', 'TIME_BEFORE_FIRST_EVENT'))
  refuseBackwards(from, to)
  refuseBeyond(from, 'from', end)
  refuseBeyond(to, 'to', end)
  const before = start ?? { state: initial, shownState: initial }
  return {
    stream,
    from: start?.event,
    to: end.event,
    state: end.shownState,
    stateBefore: before.state,
    differences: madeDifferences(before, end, made),
    sinceStatus: turn ? madeDifferences(turn, end, made) : [],
  }
}

const statusOf = (state: Json): Json | undefined => valueAt(state, '/status')

type States = Pick<Step, 'state' | 'shownState'>

function noteMade(made: Map<string, RecordedEvent>, { state, event }: Step, before: Json): void {
  for (const { path } of differences(before, state)) {
    // What changed last stands last.
    made.delete(path)
    made.set(path, event)
  }
}

function madeDifferences(
  start: States,
  end: Step,
  made: ReadonlyMap<string, RecordedEvent>,
): readonly MadeDifference[] {
  const newestFirst = [...made].toReversed()
  return differences(start.state, end.state)
    .map(({ path }): MadeDifference => {
      const before = shownAt(start, path)
      const after = shownAt(end, path)
      const by =
        made.get(path) ?? newestFirst.find(([changed]) => isWithin(changed, path) || isWithin(path, changed))?.[1]
      const leftOut = before.leftOut || after.leftOut
      return { path, before: before.value, after: after.value, leftOut, by: by ?? end.event }
    })
    .toSorted((one, other) => one.by.revision - other.by.revision)
}

/** Whether a path leads to something within what another one leads to. */
const isWithin = (path: string, outer: string): boolean => outer === '' || path.startsWith(`${outer}/`)

function shownAt(
  { state, shownState }: States,
  path: string,
): { readonly value: Json | undefined; readonly leftOut: boolean } {
  const value = valueAt(shownState, path)
  return { value, leftOut: differences(value, valueAt(state, path)).length > 0 }
}

function refuseBeyond(moment: Moment, path: 'from' | 'to', { event }: Step): void {
  if (moment.by === 'revision' && moment.revision > event.revision)
    reject('INVALID_FORM_BODY', field(path, 'REVISION_AFTER_LAST_EVENT'))
}

function refuseBackwards(from: Moment, to: Moment): void {
  const isBackwards =
    (from.by === 'revision' && to.by === 'revision' && from.revision > to.revision) ||
    (from.by === 'time' && to.by === 'time' && from.time > to.time)
  if (isBackwards) reject('INVALID_FORM_BODY', field('to', 'RANGE_ENDS_BEFORE_START'))
}
