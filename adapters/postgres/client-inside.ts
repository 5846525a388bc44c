import type pg from 'pg'

interface Inside {
  readonly processID: number
  readonly connection: { readonly stream: { destroy(): void } }
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
