import { keyedQueue } from '../../../application/commands/keyed-queue.ts'
import type { AppendResult, EventStore } from '../../../application/ports/event-store.ts'
import type { Position, Revision } from '../../../domain/kernel/position.ts'
import { AppendTooLarge } from '../../../application/failures/append-too-large.ts'
import type { StreamName } from '../../../domain/streams.ts'
import type { EventCodec } from '../codec.ts'
import { EventStoreClosed, EventStoreOverloaded, takenEventIds, UnstorableEvents } from '../errors.ts'
import type { EncodedEvent } from '../stored-event.ts'
import type { AppendLane } from './append-lane.ts'
import { proposalOf, type Answer, type Proposal } from './append-messages.ts'
import { deadlineIn, type Deadline, type Deadlines } from './deadlines.ts'
import { EventStoreRefusal, EventStoreUnavailable, pauses } from './failures.ts'
import { clocks_ms, lookBack, reachesBack, timeOfIds } from './look-back.ts'
import type { Reader } from './reader.ts'
import type { RecentEvents, SeenEvent } from './recent-events.ts'

export const appendsUnderWay_max = 10_000
export const bytesUnderWay_max = 64 * 1024 * 1024

interface AppenderParts {
  readonly codec: EventCodec
  readonly lane: AppendLane
  readonly reader: Reader
  readonly recent: RecentEvents
  readonly deadlines: Deadlines
}

export interface Appender {
  readonly append: EventStore['append']
  /** The same for 1-1000 events in their stored form. They are not validated, and their personal members are sealed already. */
  appendEncoded(stream: StreamName, expected: Revision, encoded: readonly EncodedEvent[]): Promise<AppendResult>
  /** Waits for the appends under way and accepts no more. */
  close(): Promise<void>
}

/**
 * Appends at the expected revision, one append at a time in each stream. Every answer is certain: if the server's answer did
 * not come, or says that the stream stands elsewhere, the stream is read.
 */
export function appender(parts: AppenderParts): Appender {
  const queue = keyedQueue()
  const underWay = new Set<Promise<unknown>>()
  let bytes = 0
  let closed = false

  const take = async (proposal: Proposal, deadline: Deadline): Promise<AppendResult> => {
    const { stream, eventIds } = proposal
    if (new Set(eventIds).size < eventIds.length) throw new UnstorableEvents(stream, takenEventIds)
    if (closed) throw new EventStoreClosed('The event store is closed')
    if (underWay.size >= appendsUnderWay_max || bytes > bytesUnderWay_max) {
      throw new EventStoreOverloaded(`${underWay.size} appends wait for the event store already`)
    }
    const append = queue.run(stream, () => appendInTurn(parts, proposal, deadline))
    underWay.add(append)
    bytes += proposal.bytes
    return append.finally(() => {
      underWay.delete(append)
      bytes -= proposal.bytes
    })
  }

  return {
    async append(stream, expected, events) {
      const deadline = deadlineIn(parts.deadlines.append_ms)
      return take(proposalOf(stream, expected, await parts.codec.encode(stream, events)), deadline)
    },
    async appendEncoded(stream, expected, encoded) {
      return take(proposalOf(stream, expected, encoded), deadlineIn(parts.deadlines.append_ms))
    },
    async close() {
      closed = true
      await Promise.allSettled(underWay)
    },
  }
}

async function appendInTurn(parts: AppenderParts, proposal: Proposal, deadline: Deadline): Promise<AppendResult> {
  if (deadline.remaining_ms() === 0) throw new EventStoreUnavailable('The appends before this one took all of its time')
  const earlier = await earlierTry(parts, proposal, deadline)
  return earlier ?? tryUntilKnown(parts, proposal, deadline)
}

/**
 * The result of an earlier append of these events, if there can be one at or before the revision expected now: the server does
 * not check there. Reads nothing while this process knows the end of the stream, as it does after any command.
 */
async function earlierTry(
  parts: AppenderParts,
  proposal: Proposal,
  deadline: Deadline,
): Promise<AppendResult | undefined> {
  const { stream, expected } = proposal
  const since_ms = timeOfIds(proposal.eventIds) - clocks_ms
  if (expected >= 0 && !reachesBack(parts.recent.of(stream), expected, since_ms)) {
    await lookBack(parts.reader, parts.recent, { stream, from: expected, since_ms, deadline })
  }
  const known = found(parts.recent, proposal)
  if (known.length === 0) return undefined
  // The other events may stand before the part that was read.
  if (known.length < proposal.eventIds.length) {
    await lookBack(parts.reader, parts.recent, { stream, from: 'end', since_ms, deadline })
  }
  return standing(parts.recent, proposal)
}

/** The events that are found in the known part of the stream. */
function found(recent: RecentEvents, { stream, eventIds }: Proposal): readonly SeenEvent[] {
  const events = recent.of(stream)?.events
  return eventIds.flatMap((id) => events?.get(id) ?? [])
}

/** Where the events stand in the known part of the stream. Throws if only some of them are there. */
function standing(recent: RecentEvents, proposal: Proposal): AppendResult | undefined {
  const { stream, eventIds, storeIds } = proposal
  const there = found(recent, proposal)
  if (there.length === 0) return undefined
  if (there.length < eventIds.length) throw new UnstorableEvents(stream, takenEventIds)
  const last = there.reduce((newest, event) => (event.revision > newest.revision ? event : newest))
  const outcome = there[0]?.storeId === storeIds[0] ? 'appended' : 'repeated'
  return { outcome, revision: last.revision, position: last.position }
}

async function tryUntilKnown(parts: AppenderParts, proposal: Proposal, deadline: Deadline): Promise<AppendResult> {
  const between = pauses()
  for (;;) {
    const answer = await parts.lane.send(proposal, ...tryDeadlines(parts.deadlines, deadline))
    const result = await settled(parts, proposal, answer, deadline)
    if (result) return result
    if (deadline.remaining_ms() === 0) {
      const reason = answer.outcome === 'unknown' ? answer.reason : answer.outcome
      throw new EventStoreUnavailable(`Whether an append to ${proposal.stream} took place is not known: ${reason}`)
    }
    await between.next(deadline.remaining_ms())
  }
}

/**
 * The deadline for giving up a try, and the time after which the server refuses it: soon after the caller got the answer
 * "unknown".
 */
const tryDeadlines = (
  { append_ms, answer_ms, server_ms }: Deadlines,
  whole: Deadline,
): readonly [Deadline, Deadline] => [
  deadlineIn(Math.min(answer_ms, whole.remaining_ms())),
  deadlineIn(whole.remaining_ms() + server_ms - append_ms),
]

/** The result of an answer; undefined if the append has to be sent again, which the store treats as the same append. */
async function settled(
  parts: AppenderParts,
  proposal: Proposal,
  answer: Answer,
  deadline: Deadline,
): Promise<AppendResult | undefined> {
  const { stream, expected } = proposal
  if (answer.outcome === 'refused') throw refusal(stream, answer)
  if (answer.outcome === 'written' && answer.position !== undefined) {
    return appended(parts.recent, proposal, answer.revision, answer.position)
  }
  const since_ms = timeOfIds(proposal.eventIds) - clocks_ms
  const from = { stream, from: 'end', since_ms, deadline } as const
  // If the stream is known up to the expected revision, only later events matter.
  const isKnown = reachesBack(parts.recent.of(stream), expected, since_ms)
  const first = isKnown ? { first_events: proposal.eventIds.length + 1 } : {}
  const newest = await lookBack(parts.reader, parts.recent, { ...from, ...first })
  const result = standing(parts.recent, proposal)
  if (result) return result
  const isBehind = answer.outcome === 'wrong revision' && newest < answer.current
  return newest === expected || isBehind ? undefined : { outcome: 'conflict', revision: newest }
}

function refusal(stream: string, { reason, atFault }: Extract<Answer, { outcome: 'refused' }>): Error {
  if (atFault === 'size') return new AppendTooLarge(`EventStoreDB is set to take less: ${reason}`)
  return atFault === 'events'
    ? new UnstorableEvents(stream, `EventStoreDB refuses it: ${reason}`)
    : new EventStoreRefusal(`EventStoreDB refuses an append to ${stream}: ${reason}`)
}

function appended(recent: RecentEvents, proposal: Proposal, revision: Revision, position: Position): AppendResult {
  const { stream, eventIds, storeIds, expected } = proposal
  const recorded_ms = Date.now()
  // Only the position of the last event is known. A repetition is answered with that one.
  const seen = eventIds.map((eventId, index): SeenEvent => {
    return { eventId, storeId: storeIds[index] ?? '', revision: expected + 1 + index, position, recorded_ms }
  })
  recent.note(stream, seen)
  return { outcome: 'appended', revision, position }
}
