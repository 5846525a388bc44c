import type { Socket } from 'node:net'

/** One connection. */
export interface Connection {
  readonly socket: Socket
  /** Its client's, as limits count it; undefined for a proxy's. */
  readonly address: string | undefined
  /** That it carries right now. One that is upgraded counts as a request that does not end. */
  requests: number
  hasCredential: boolean
}

/** The connections that carry no request. */
export interface IdleConnections {
  /** A proxy's own are left out: it may be about to send somebody's request. */
  add(connection: Connection): void
  remove(connection: Connection): void
  /** The one that is idle longest, of those without a credential if there is one. */
  longest(): Connection | undefined
  close(): void
}

/** Places are few once more than this part of them is taken. */
const fewPlaces = 3 / 4
/** How long a connection without a credential may then be idle. */
export const shortIdle_ms = 5000
const sweepEvery_ms = 1000

/** Ends idle connections of clients that have shown no credential soon, where places get few. */
export function idleConnections(count: () => number, all_max: number): IdleConnections {
  // Both keep those that are idle longest first, and since when that is, by a clock that never steps back.
  const strangers = new Map<Connection, number>()
  const known = new Map<Connection, number>()

  function sweep(): void {
    if (count() <= all_max * fewPlaces) return
    const before = performance.now() - shortIdle_ms
    for (const [{ socket }, since] of strangers) {
      if (since > before) return
      socket.destroy()
    }
  }

  const timer = setInterval(sweep, sweepEvery_ms).unref()
  return {
    add(connection) {
      if (connection.address === undefined) return
      const kind = connection.hasCredential ? known : strangers
      kind.set(connection, performance.now())
    },
    remove(connection) {
      strangers.delete(connection)
      known.delete(connection)
    },
    longest() {
      for (const kind of [strangers, known]) for (const connection of kind.keys()) return connection
      return undefined
    },
    close: () => clearInterval(timer),
  }
}
