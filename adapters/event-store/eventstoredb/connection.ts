import type messages from '@eventstore/db-client/generated/streams_pb.js'
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type { Metadata } from '@grpc/grpc-js'
import { asDate, unanswered_ms, type Deadline } from './deadlines.ts'
import { failureOf, inTime } from './failures.ts'
import type { AppendCall, Channel, ReadCall } from './nodes/channel.ts'
import { destinationOf } from './nodes/connection-string.ts'
import { Way } from './nodes/way.ts'

export type { AppendCall, ReadCall }

/** A stream of appends. Call `doubt` when an answer is late. */
export interface DoubtfulCall {
  readonly call: AppendCall
  readonly doubt: () => void
}

/**
 * The server calls that the adapter makes, each on the leading node. Each rejects with EventStoreUnavailable if it can't be
 * opened in time, and with EventStoreClosed after `close`.
 */
export interface Connection {
  /** A read that has to end by its deadline. */
  read(request: messages.ReadReq, deadline: Deadline): Promise<ReadCall>
  /** A read without an end. `deadline` is for opening it. */
  subscribe(request: messages.ReadReq, deadline: Deadline): Promise<ReadCall>
  /** A stream of appends and their answers. `deadline` is for opening it. */
  batchAppend(deadline: Deadline): Promise<DoubtfulCall>
  /** Cancels every call. */
  close(): void
}

/**
 * Connects as the connection string says (`nodes/connection-string.ts`).
 * Of the package @eventstore/db-client this uses only the messages and the parser of connection strings. Its client
 * - ends the process if a cluster has no leader: `handleError` waits for a channel that could not be made, and nobody catches
 *   what it throws,
 * - stays with a node that hangs: it looks for another one after UNAVAILABLE, CANCELLED and NOT_LEADER, but a channel that
 *   connects forever gives DEADLINE_EXCEEDED, or nothing if a call has no deadline,
 * - asks one node after another for its gossip, and waits 5 s for each,
 * - rejects the appends of every client in the process when the connection of one breaks, and throws out of an event handler
 *   when an answer comes after that (https://github.com/kurrent-io/KurrentDB-Client-NodeJS/pull/523),
 * - waits forever for the answer to an append, and for the events of a read,
 * - has no filter for reads of all streams.
 *
 * `onNotice` is called, with one line, for each node that is left.
 */
export function connect(url: string, onNotice: (text: string) => void): Connection {
  const way = new Way(destinationOf(url), onNotice)
  const open = async <Call extends ReadCall | AppendCall>(
    deadline: Deadline,
    requiresLeader: boolean,
    call: (streams: StreamsClient, metadata: Metadata) => Call,
  ): Promise<{ readonly call: Call; readonly channel: Channel }> => {
    const channel = await inTime(deadline, way.channel())
    const opened = openOn(channel, call, requiresLeader)
    opened.on('error', (error) => way.failed(channel, error))
    return { call: opened, channel }
  }
  /** Doubts the node when a read gets no answer for a while. */
  const watched = ({ call, channel }: { readonly call: ReadCall; readonly channel: Channel }): ReadCall => {
    const late = setTimeout(() => way.doubt(channel), unanswered_ms)
    call.once('metadata', () => clearTimeout(late))
    call.once('status', () => clearTimeout(late))
    return call
  }
  return {
    read: async (request, deadline) =>
      watched(
        await open(deadline, true, (streams, metadata) =>
          streams.read(request, metadata, { deadline: asDate(deadline) }),
        ),
      ),
    subscribe: async (request, deadline) =>
      watched(
        await open(deadline, false, (streams, metadata) => streams.read(request, metadata, { deadline: Infinity })),
      ),
    async batchAppend(deadline) {
      const { call, channel } = await open(deadline, true, (streams, metadata) =>
        streams.batchAppend(metadata, { deadline: Infinity }),
      )
      return { call, doubt: () => way.doubt(channel) }
    },
    close: () => way.close(),
  }
}

/** The channel may have closed since it was handed out. */
function openOn<Call extends ReadCall | AppendCall>(
  channel: Channel,
  call: (streams: StreamsClient, metadata: Metadata) => Call,
  requiresLeader: boolean,
): Call {
  try {
    return channel.open(call, requiresLeader)
  } catch (error) {
    throw failureOf(error)
  }
}
