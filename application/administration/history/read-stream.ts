import { isWithin } from '../../../domain/admin/acls.ts'
import { categoryOf, type StreamName } from '../../../domain/streams.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import type { Revision } from '../../../domain/kernel/position.ts'
import type { HistoryEventObject } from '../../wire-objects/administration/history-objects.ts'
import { boundOf } from '../acls/acl-bound.ts'
import type { Json } from './differences.ts'
import { nothingRevealed, type Revealed } from './masked-event.ts'
import type { Moment } from './moments.ts'
import { objectOfDifference, objectOfEvent, type DifferenceObject } from './objects-for-readers.ts'
import { streamDifference } from './stream-differences.ts'
import { stateAt } from './stream-states.ts'

type Needs = Pick<Ports, 'events'>

/** The state of a stream at a moment, or what changed between two. */
export interface StreamObject {
  readonly stream: string
  /** The newest event at the first moment; null if one moment is asked for, and where nothing had happened. */
  readonly from: HistoryEventObject | null
  /** The newest event at the moment, or at the second one. */
  readonly to: HistoryEventObject
  /** Null where differences are asked for. */
  readonly state: Json
  readonly left_out: readonly string[]
  /** Null where one moment is asked for. */
  readonly differences: readonly DifferenceObject[] | null
}

/** What a reader asks of a stream: its state at a moment, or the difference between two. */
export type StreamQuestion =
  | { readonly at: Moment; readonly reveal: boolean }
  | { readonly from: Moment; readonly to: Moment; readonly reveal: boolean }

/**
 * The state of an aggregate at a moment, or what changed between two moments, for administrators. Refuses as `stateAt` and
 * `streamDifference` (rules/administration#history).
 */
export function readStream({ events }: Needs) {
  return async (caller: Caller, name: string, question: StreamQuestion): Promise<StreamObject> => {
    const stream = streamNamed(name)
    const revealed = revealedTo(caller, question.reveal)
    if ('at' in question) {
      const { event, state, leftOut } = await stateAt({ events, revealed }, stream, question.at)
      return { stream, from: null, to: objectOfEvent(event, revealed), state, left_out: leftOut, differences: null }
    }
    const { from, to, differences } = await streamDifference({ events, revealed }, stream, question)
    return {
      stream,
      from: from ? objectOfEvent(from, revealed) : null,
      to: objectOfEvent(to, revealed),
      state: null,
      left_out: [],
      differences: differences.map((difference) => objectOfDifference(difference, revealed)),
    }
  }
}

/** The events of a stream after a revision, oldest first, at most `limit`. Refuses with NOT_FOUND for a name that no stream has. */
export function listStreamEvents({ events }: Needs) {
  return async (
    caller: Caller,
    name: string,
    { after, limit, reveal }: { readonly after: Revision; readonly limit: number; readonly reveal: boolean },
  ): Promise<readonly HistoryEventObject[]> => {
    const stream = streamNamed(name)
    const revealed = revealedTo(caller, reveal)
    const found: HistoryEventObject[] = []
    for await (const page of events.readStream(stream, after)) {
      for (const event of page) {
        if (found.length === limit) return found
        found.push(objectOfEvent(event, revealed))
      }
    }
    return found
  }
}

/** A stream by its name. Refuses with NOT_FOUND for a category that there is not. */
export function streamNamed(name: string): StreamName {
  return categoryOf(name) ? (name as StreamName) : reject('NOT_FOUND')
}

/** What a caller sees of what is personal: nothing, unless it asks for it; then what its ACLs show. */
export function revealedTo(caller: Caller, reveal: boolean): Revealed {
  if (!reveal) return nothingRevealed
  const bound = boundOf(caller)
  return (acl) => isWithin(bound, acl)
}
