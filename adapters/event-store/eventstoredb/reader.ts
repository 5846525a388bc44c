import type { Position, Revision } from '../../../domain/kernel/position.ts'
import type messages from '@eventstore/db-client/generated/streams_pb.js'
import type { StreamName } from '../../../domain/streams.ts'
import type { Connection, ReadCall } from './connection.ts'
import type { Deadline } from './deadlines.ts'
import { EventStoreReadFault, failureOf, NoSuchPosition, persistently } from './failures.ts'
import { allRequest, eventOf, newestRequest, streamRequest, type ReadEvent } from './read-messages.ts'

/**
 * Reads pages of at most `limit` events; a shorter page means that there are no more. A page that breaks off is read again
 * until its deadline; then it rejects with EventStoreUnavailable.
 */
export interface Reader {
  /** The events of a stream after a revision, oldest first. Empty if the stream does not exist. */
  forwards(stream: StreamName, after: Revision, limit: number, deadline: Deadline): Promise<readonly ReadEvent[]>
  /** The events of a stream backwards from a revision or from the end, newest first. */
  backwards(
    stream: StreamName,
    from: Revision | 'end',
    limit: number,
    deadline: Deadline,
  ): Promise<readonly ReadEvent[]>
  /** The events of all our streams after a position, oldest first. */
  all(after: Position, limit: number, deadline: Deadline): Promise<readonly ReadEvent[]>
  /** The event at a position in all our streams, if there is one. */
  at(position: Position, deadline: Deadline): Promise<ReadEvent | undefined>
  /** The newest event of all our streams. */
  newest(deadline: Deadline): Promise<ReadEvent | undefined>
}

/** `prefixes` begin the names of our streams. The server returns no other streams. */
export function readerOf(connection: Connection, prefixes: readonly string[]): Reader {
  const once = async (request: messages.ReadReq, limit: number, deadline: Deadline): Promise<readonly ReadEvent[]> =>
    collected(await connection.read(request, deadline), limit)
  const page = (request: messages.ReadReq, limit: number, deadline: Deadline): Promise<readonly ReadEvent[]> =>
    persistently(deadline, () => once(request, limit, deadline))
  /** Reads from a position in one try. Gives nothing if the server can read elsewhere but not at this position. */
  const from = async (position: Position, deadline: Deadline): Promise<readonly ReadEvent[]> => {
    try {
      return await once(allRequest(prefixes, position, 1), 1, deadline)
    } catch (error) {
      if (error instanceof NoSuchPosition) return []
      if (!(error instanceof EventStoreReadFault)) throw error
      await once(newestRequest(prefixes, 1), 1, deadline)
      return []
    }
  }
  return {
    forwards: (stream, after, limit, deadline) =>
      page(streamRequest(stream, 'forwards', after + 1, limit), limit, deadline),
    backwards: (stream, from, limit, deadline) =>
      page(streamRequest(stream, 'backwards', from, limit), limit, deadline),
    async all(after, limit, deadline) {
      // A read includes the event at its start position. One more is requested, and that one is dropped.
      const read = await page(allRequest(prefixes, after, limit + 1), limit + 1, deadline)
      return read.filter(({ position }) => position > after).slice(0, limit)
    },
    async at(position, deadline) {
      if (position < 0n) return undefined
      const [event] = await persistently(deadline, () => from(position, deadline))
      return event?.position === position ? event : undefined
    },
    newest: async (deadline) => (await page(newestRequest(prefixes, 1), 1, deadline))[0],
  }
}

/**
 * The events of a call, up to `limit`. The call is cancelled then: a filtered read would look for one more event before it
 * ends, through the whole log if need be.
 */
function collected(call: ReadCall, limit: number): Promise<readonly ReadEvent[]> {
  return new Promise((resolve, reject) => {
    const events: ReadEvent[] = []
    call.on('error', (error) => reject(failureOf(error)))
    call.on('end', () => resolve(events))
    call.on('data', (response: messages.ReadResp) => {
      const event = events.length < limit ? readable(response, reject) : undefined
      if (event) events.push(event)
      if (events.length === limit) {
        resolve(events)
        call.cancel()
      }
    })
  })
}

function readable(response: messages.ReadResp, reject: (error: unknown) => void): ReadEvent | undefined {
  try {
    return eventOf(response)
  } catch (error) {
    reject(error)
    return undefined
  }
}
