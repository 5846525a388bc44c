import type pg from 'pg'

interface Inside {
  readonly processID: number
  readonly connection: { readonly stream: { destroy(): void; cork(): void; uncork(): void } }
  query(...parameters: unknown[]): unknown
}

// The client has both members, but its types name neither.
const inside = (client: pg.ClientBase): Inside => client as unknown as Inside

/** The id of the Postgres process behind a connection, as in NOTIFY and pg_stat_activity. */
export function processIdOf(client: pg.ClientBase): number {
  return inside(client).processID
}

/** Ends a connection at once. Its user sees a lost connection. */
export function breakOff(client: pg.ClientBase): void {
  inside(client).connection.stream.destroy()
}

/**
 * Has the statements that a pipelining client sends in one turn of the event loop leave in one write. Each write is a system call and
 * wakes Postgres, which costs more than most statements do.
 */
export function writeTogether(client: pg.ClientBase): void {
  const own = inside(client)
  const { stream } = own.connection
  const send = own.query.bind(own)
  let isHeld = false
  own.query = (...parameters) => {
    if (!isHeld) {
      isHeld = true
      stream.cork()
      process.nextTick(() => {
        isHeld = false
        stream.uncork()
      })
    }
    return send(...parameters)
  }
}

/** The same for the statements that `send` sends. */
export function inOneWrite<Result>(client: pg.ClientBase, send: () => Result): Result {
  const { stream } = inside(client).connection
  stream.cork()
  try {
    return send()
  } finally {
    stream.uncork()
  }
}
