import type { Socket } from 'node:net'

/** One connection. */
export interface Connection {
  readonly socket: Socket
  /** The client's address as limits count it; undefined for a proxy's connection. */
  readonly address: string | undefined
  /** The requests that it carries right now. An upgraded connection counts as a request that does not end. */
  requests: number
  hasCredential: boolean
}

/** The connections that carry no request. */
export interface IdleConnections {
  /** Proxies are left out: they may be about to send somebody's request. */
  add(connection: Connection): void
  remove(connection: Connection): void
  /** The connection that is idle longest, preferably one without a credential. */
  longest(): Connection | undefined
  close(): void
}

/** Slots are scarce once more than this part of them is taken. */
const fewSlots = 3 / 4
/** How long a connection without a credential may then be idle. */
export const shortIdle_ms = 5000
const sweepEvery_ms = 1000

/** Closes idle connections without a credential early when slots are scarce. */
export function idleConnections(count: () => number, all_max: number): IdleConnections {
  // Both keep the longest idle first, with the start of its idle time, by a clock that never steps back.
  const strangers = new Map<Connection, number>()
  const known = new Map<Connection, number>()

  function sweep(): void {
    if (count() <= all_max * fewSlots) return
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
