import { EventStoreDBClient } from '@eventstore/db-client'
import type messages from '@eventstore/db-client/generated/streams_pb.js'
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js'
import { EventStoreClosed } from '../errors.js'
import { asDate, deadlineIn, type Deadline } from './deadlines.js'
import { failureOf, inTime } from './failures.js'

export type ReadCall = ReturnType<StreamsClient['read']>
export type AppendCall = ReturnType<StreamsClient['batchAppend']>

/**
 * The calls of the server that the adapter makes. Each rejects with EventStoreUnavailable where it can't be opened in time,
 * and with EventStoreClosed after `close`.
 */
export interface Connection {
  /** A read that has to end by its deadline. */
  read(request: messages.ReadReq, deadline: Deadline): Promise<ReadCall>
  /** A read without an end. `deadline` is for opening it. */
  subscribe(request: messages.ReadReq, deadline: Deadline): Promise<ReadCall>
  /** A stream of appends and their answers. `deadline` is for opening it. */
  batchAppend(deadline: Deadline): Promise<AppendCall>
  /** Breaks every call off. */
  close(): Promise<void>
}

/** For how long closing waits for a connection that is being made. */
const closing_ms = 1000

/**
 * Connects as the connection string says: nodes, discovery, TLS and credentials are the client's business, and so is turning
 * to the leader. The calls are made on its channel, and not with its methods, because those
 * - reject the appends of every client in the process when the connection of one breaks, and throw out of an event handler
 *   when an answer comes after that (https://github.com/kurrent-io/KurrentDB-Client-NodeJS/pull/523),
 * - wait for the answer to an append, and for the events of a read, without an end,
 * - know no filter for reads of all streams.
 *
 * The brackets are TypeScript's way to reach protected members; package.json pins the client's version.
 */
export function connect(url: string): Connection {
  const client = clientOf(url)
  let closed = false
  const open = async <Call extends ReadCall | AppendCall>(
    name: string,
    deadline: Deadline,
    call: (streams: StreamsClient) => Call,
  ): Promise<Call> => {
    if (closed) throw new EventStoreClosed('The event store is closed')
    const opened = client['GRPCStreamCreator'](StreamsClient, name, (streams) => survivingErrors(call(streams)))()
    return inTime(deadline, opened, cancel).catch((error: unknown) => {
      throw failureOf(error)
    })
  }
  const onLeader = { requiresLeader: true }
  return {
    read: (request, deadline) =>
      open('read', deadline, (streams) =>
        streams.read(request, ...client['callArguments'](onLeader, { deadline: asDate(deadline) })),
      ),
    subscribe: (request, deadline) =>
      open('subscribe', deadline, (streams) =>
        streams.read(request, ...client['callArguments']({}, { deadline: Infinity })),
      ),
    batchAppend: (deadline) =>
      open('batchAppend', deadline, (streams) =>
        streams.batchAppend(...client['callArguments'](onLeader, { deadline: Infinity })),
      ),
    async close() {
      closed = true
      await client.dispose()
      const channel = inTime(deadlineIn(closing_ms), client['getChannel'](), (late) => late.close())
      await channel.then((open) => open.close()).catch((error: unknown) => error)
    },
  }
}

function clientOf(url: string): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(url)
  } catch (error) {
    throw unusable(error)
  }
}

/** The client's own error carries the whole connection string, with the password. */
function unusable(error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error)
  return new Error(`The connection string of EventStoreDB can not be used: ${reason}`)
}

/** A call can fail after its last reader has gone, and an error that nobody listens to would end the process. */
function survivingErrors<Call extends ReadCall | AppendCall>(call: Call): Call {
  call.on('error', () => undefined)
  return call
}

function cancel(call: ReadCall | AppendCall): void {
  call.cancel()
}
