import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import messages from '@eventstore/db-client/generated/streams_pb.js'
import type { handleServerStreamingCall, ServerWritableStream } from '@grpc/grpc-js'
import { nameOf } from './append-service.ts'
import type { Faults } from './faults.ts'
import type { DoubleLog, Recorded } from './log.ts'
import { notLeader, notReady } from './not-leader.ts'

type ReadCall = ServerWritableStream<messages.ReadReq, messages.ReadResp>
type Options = messages.ReadReq.Options

/** Counts of reads, for tests that check how events were read. */
export interface Reads {
  /** Where each subscription began: after these positions, or undefined for the start or the end. */
  readonly subscribedAfter: (bigint | undefined)[]
  /** Events sent to subscriptions. */
  sentEvents: number
  /** Subscriptions that have caught up. */
  caughtUp: number
}

interface ReadParts {
  readonly log: DoubleLog
  readonly faults: Faults
  readonly reads: Reads
}

/** The RPC Read: a stream or all of them, forwards or backwards, a number of events or a subscription. */
export function readHandler(parts: ReadParts): handleServerStreamingCall<messages.ReadReq, messages.ReadResp> {
  const answer = async (call: ReadCall): Promise<void> => {
    const options = call.request.getOptions() ?? new messages.ReadReq.Options()
    const outgoing = outgoingOf(call)
    await parts.faults.working()
    const refusal = notReady(parts.faults) ?? notLeader(call.metadata, parts.faults)
    if (refusal) throw refusal
    if (options.hasSubscription()) await subscription(parts, options, outgoing)
    else await page(parts, options, outgoing)
  }
  return (call) => {
    answer(call).then(
      () => call.end(),
      (error: unknown) => call.emit('error', error),
    )
  }
}

interface Outgoing {
  /** Sends a message, and waits while the client accepts no more. */
  send(message: messages.ReadResp): Promise<void>
  isOver(): boolean
  /** Resolves when the log has more events, or the client has gone. */
  moreIn(log: DoubleLog): Promise<void>
}

function outgoingOf(call: ReadCall): Outgoing {
  let over = false
  const until = (register: (resolve: () => void) => () => void): Promise<void> =>
    new Promise((resolve) => {
      const settle = (): void => {
        unregister()
        call.off('cancelled', settle)
        resolve()
      }
      const unregister = register(settle)
      call.on('cancelled', settle)
    })
  call.setMaxListeners(0)
  call.on('cancelled', () => (over = true))
  call.on('error', () => (over = true))
  return {
    isOver: () => over,
    async send(message) {
      if (over || call.write(message)) return
      await until((resolve) => {
        call.on('drain', resolve)
        return () => call.off('drain', resolve)
      })
    },
    moreIn: (log) =>
      until((resolve) => {
        log.changes.on('events', resolve)
        return () => log.changes.off('events', resolve)
      }),
  }
}

async function page({ log, faults }: ReadParts, options: Options, outgoing: Outgoing): Promise<void> {
  if (faults.failsReads) throw readFailed()
  const isBackwards = options.getReadDirection() === 1
  const name = nameOf(options.getStream()?.getStreamIdentifier())
  const events = options.hasAll() ? log.events : log.of(name)
  if (options.hasStream() && events.length === 0) return outgoing.send(notFound(name))
  const matches = filterOf(options)
  let next = startOf(options, events, faults, isBackwards)
  let left = Number(options.getCount())
  while (left > 0 && next >= 0 && next < events.length && !outgoing.isOver()) {
    const event = events[next]
    next += isBackwards ? -1 : 1
    if (!event || !matches(event)) continue
    left -= 1
    await outgoing.send(eventMessage(event))
  }
}

/** The index of the event that a read begins with: the one at a position or revision. */
function startOf(options: Options, events: readonly Recorded[], faults: Faults, isBackwards: boolean): number {
  const [all, stream] = [options.getAll(), options.getStream()]
  if (all?.hasEnd() || stream?.hasEnd()) return isBackwards ? events.length - 1 : events.length
  if (stream?.hasRevision())
    return isBackwards ? Math.min(Number(stream.getRevision()), events.length - 1) : Number(stream.getRevision())
  const position = all?.getPosition()
  if (!position) return 0
  return indexOf(events, position, faults) - (isBackwards ? 1 : 0)
}

/** The server reads records at offsets: an offset at which no record begins is an error. */
function indexOf(
  events: readonly Recorded[],
  at: messages.ReadReq.Options.Position,
  { nothingBegins }: Faults,
): number {
  const position = BigInt(at.getCommitPosition())
  const index = firstAt(events, position)
  if (events[index]?.position === position && at.getPreparePosition() === at.getCommitPosition()) return index
  throw nothingBegins === 'error'
    ? readFailed()
    : Object.assign(new Error('Invalid position'), { code: 3, details: `Invalid position ${position}` })
}

/** The first event at or after a position. Events are in order of position. */
function firstAt(events: readonly Recorded[], position: bigint): number {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((events[middle]?.position ?? position) < position) low = middle + 1
    else high = middle
  }
  return low
}

function filterOf(options: Options): (event: Recorded) => boolean {
  const filter = options.getFilter()
  const byStream = filter?.getStreamIdentifier()
  const expression = byStream ?? filter?.getEventType()
  if (!expression) return () => true
  const pattern = expression.getRegex() ? new RegExp(expression.getRegex()) : undefined
  const prefixes = expression.getPrefixList()
  return (event) => {
    const value = byStream ? event.stream : event.type
    return pattern ? pattern.test(value) : prefixes.some((prefix) => value.startsWith(prefix))
  }
}

const defaultWindow_events = 32

/** Catches up from after a position, reports that, and continues. With a filter, it also reports how far it has looked. */
async function subscription({ log, faults, reads }: ReadParts, options: Options, outgoing: Outgoing): Promise<void> {
  const filter = options.getFilter()
  const interval = (filter?.getMax() || defaultWindow_events) * (filter?.getCheckpointintervalmultiplier() ?? 0)
  const matches = filterOf(options)
  const position = options.getAll()?.getPosition()
  let next = options.getAll()?.hasEnd() ? log.events.length : position ? indexOf(log.events, position, faults) + 1 : 0
  reads.subscribedAfter.push(position && BigInt(position.getCommitPosition()))
  let [looked, live, isCaughtUp] = [0, 0, false]
  await outgoing.send(confirmation())
  while (!outgoing.isOver()) {
    const event = log.events[next]
    if (event) {
      await faults.working()
      next += 1
      looked += 1
      const isDue = filter !== undefined && looked % interval === 0
      const isAhead = isDue && faults.checkpointsAhead_ms > 0
      if (isAhead) await outgoing.send(checkpoint(event.position))
      if (isAhead) await wait(faults.checkpointsAhead_ms)
      if (matches(event) && !faults.skips(event)) {
        if (isCaughtUp && (live += 1) > faults.slowAfter_events) throw consumerTooSlow()
        reads.sentEvents += 1
        await outgoing.send(eventMessage(event))
      }
      if (isDue && !isAhead) await outgoing.send(checkpoint(event.position))
    } else {
      // When it has caught up, version 24 names the place where the next record will begin.
      if (!isCaughtUp && filter) await outgoing.send(checkpoint(log.endOfReadable))
      if (!isCaughtUp) await outgoing.send(new messages.ReadResp().setCaughtUp(new messages.ReadResp.CaughtUp()))
      if (!isCaughtUp) reads.caughtUp += 1
      isCaughtUp = true
      if (next >= log.events.length) await outgoing.moreIn(log)
    }
  }
}

const readFailed = (): Error =>
  Object.assign(new Error('Error'), { code: 2, details: 'Unexpected FilteredReadAllResult: Error' })

const consumerTooSlow = (): Error =>
  Object.assign(new Error('Consumer too slow'), {
    code: 10,
    details: 'Operation was aborted: Consumer too slow to handle event while live. Client resubscription required.',
  })

const confirmation = (): messages.ReadResp =>
  new messages.ReadResp().setConfirmation(
    new messages.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID()),
  )

function checkpoint(position: bigint): messages.ReadResp {
  const at = new messages.ReadResp.Checkpoint()
  at.setCommitPosition(String(position)).setPreparePosition(String(position))
  return new messages.ReadResp().setCheckpoint(at)
}

const identifier = (name: string): shared.StreamIdentifier =>
  new shared.StreamIdentifier().setStreamName(Buffer.from(name, 'utf8'))

const notFound = (name: string): messages.ReadResp =>
  new messages.ReadResp().setStreamNotFound(
    new messages.ReadResp.StreamNotFound().setStreamIdentifier(identifier(name)),
  )

const ticksPerMillisecond = 10_000n

function eventMessage(event: Recorded): messages.ReadResp {
  const position = String(event.position)
  const recorded = new messages.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(identifier(event.stream))
    .setStreamRevision(String(event.revision))
    .setCommitPosition(position)
    .setPreparePosition(position)
    .setData(event.data)
    .setCustomMetadata(event.metadata)
  const created = String(BigInt(event.created_ms) * ticksPerMillisecond)
  recorded.getMetadataMap().set('type', event.type).set('content-type', event.contentType).set('created', created)
  return new messages.ReadResp().setEvent(
    new messages.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(position),
  )
}
