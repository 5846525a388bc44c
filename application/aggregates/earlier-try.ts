import type { DomainEvent } from '../../domain/kernel/decider.ts'
import type { StreamName } from '../../domain/streams.ts'
import { metadataOf, type CommandContext } from '../commands/command-context.ts'
import type { EventStore, RecordedEvent } from '../ports/event-store.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { Loaded, StateCache } from './state-cache.ts'

export interface Executed<State> extends Loaded<State> {
  /** Whether this call changed anything; false also where an earlier try of the same command did. */
  readonly changed: boolean
  /** Whether an earlier try of the same command had done it. */
  readonly repeated: boolean
  /** The events that the command appended, here or in an earlier try. */
  readonly appended: readonly DomainEvent[]
}

/** Where an earlier try of a command is looked for. */
interface Searched<State> {
  readonly store: EventStore
  readonly states: Pick<StateCache<State, never>, 'load'>
  readonly stream: StreamName
  /** The command's name, which its event ids follow from. */
  readonly step: string
  readonly context: CommandContext
}

/** What an earlier try of the same command, under the same Idempotency-Key, has done to this stream already. */
export async function findEarlierTry<State>({
  store,
  states,
  stream,
  step,
  context,
}: Searched<State>): Promise<Executed<State> | undefined> {
  if (!context.mayRepeat) return undefined
  const eventIdOf = (index: number): string => metadataOf(context, stream, step, index).eventId
  const first = await store.findEvent(stream, eventIdOf(0))
  if (!first) return undefined
  const { position, appended } = await endOfAppend(store, first, eventIdOf)
  context.noteWritten(position)
  return { ...(await states.load(stream, 'current')), changed: false, repeated: true, appended }
}

/** Where an append ends whose first event was found, and its events: they stand one after another. */
async function endOfAppend(
  store: EventStore,
  first: RecordedEvent,
  eventIdOf: (index: number) => string,
): Promise<{ readonly position: Position; readonly appended: readonly DomainEvent[] }> {
  let { position } = first
  const appended: DomainEvent[] = [{ type: first.type, data: first.data }]
  for await (const page of store.readStream(first.stream, first.revision)) {
    for (const event of page) {
      if (event.metadata.eventId !== eventIdOf(appended.length)) return { position, appended }
      position = event.position
      appended.push({ type: event.type, data: event.data })
    }
  }
  return { position, appended }
}
