import type { DomainEvent } from '../../../domain/kernel/decider.ts'
import { noStream, type Revision } from '../../../domain/kernel/position.ts'
import { sameJson } from '../../../domain/kernel/same-json.ts'
import type { StreamName } from '../../../domain/streams.ts'
import type { EventStore, RecordedEvent } from '../../ports/event-store.ts'
import type { Act } from './find-act.ts'

/** An event of an aggregate, and its state before and after it. */
export interface FoldedStep<State, Event extends DomainEvent> {
  readonly recorded: RecordedEvent
  readonly event: Event
  readonly before: State
  readonly after: State
}

interface Folding<State, Event extends DomainEvent> {
  readonly initial: State
  evolve(state: State, event: Event): State
}

/** What the events of one stream come to. `history`: all of them, oldest first. */
export function foldedSteps<State, Event extends DomainEvent>(
  folding: Folding<State, Event>,
  history: readonly RecordedEvent[],
): readonly FoldedStep<State, Event>[] {
  const steps: FoldedStep<State, Event>[] = []
  for (const recorded of history) {
    const before = steps.at(-1)?.after ?? folding.initial
    // A stream holds the events of its aggregate alone.
    const event = { type: recorded.type, data: recorded.data } as Event
    steps.push({ recorded, event, before, after: folding.evolve(before, event) })
  }
  return steps
}

/** Every event of a stream, oldest first. */
export async function historyOf(
  events: Pick<EventStore, 'readStream'>,
  stream: StreamName,
): Promise<readonly RecordedEvent[]> {
  const history: RecordedEvent[] = []
  for await (const page of events.readStream(stream, noStream)) history.push(...page)
  return history
}

/** What an act did in one stream, and what came after it. */
export interface ActInStream<State, Event extends DomainEvent> {
  readonly stream: StreamName
  /** Of the newest event of the stream. */
  readonly revision: Revision
  readonly before: State
  /** After its last event. */
  readonly after: State
  /** After the newest event of the stream. */
  readonly now: State
  /** Its own events. */
  readonly own: readonly FoldedStep<State, Event>[]
  /** Those of others since its first one, without what an earlier try to take it back has done. */
  readonly later: readonly FoldedStep<State, Event>[]
  /** From the first event of the stream to the last of the act. */
  readonly untilThen: readonly FoldedStep<State, Event>[]
}

/** What an act did in a stream; undefined if none of its events is there. */
export function actInStream<State, Event extends DomainEvent>(
  folding: Folding<State, Event>,
  history: readonly RecordedEvent[],
  { isOwn, isUndone }: Pick<Act, 'isOwn' | 'isUndone'>,
): ActInStream<State, Event> | undefined {
  const steps = foldedSteps(folding, history)
  const own = steps.filter(({ recorded }) => isOwn(recorded))
  const [first, last, newest] = [own[0], own.at(-1), steps.at(-1)]
  if (!first || !last || !newest) return undefined
  return {
    stream: newest.recorded.stream,
    revision: newest.recorded.revision,
    before: first.before,
    after: last.after,
    now: newest.after,
    own,
    later: steps.slice(steps.indexOf(first)).filter((step) => !own.includes(step) && !isUndone(step.recorded)),
    untilThen: steps.slice(0, steps.indexOf(last) + 1),
  }
}

/** The first later event that changed what the act changed, which is what `fact` gives of a state. */
export function changedAgain<State, Event extends DomainEvent>(
  { later }: Pick<ActInStream<State, Event>, 'later'>,
  fact: (state: State) => unknown,
): RecordedEvent | undefined {
  return later.find(({ before, after }) => !sameJson(fact(before), fact(after)))?.recorded
}
