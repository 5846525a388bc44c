import type pg from 'pg'

interface Inside {
  readonly processID: number
  readonly connection: { readonly stream: { destroy(): void } }
}

// The client has both, and its types name neither.
const inside = (client: pg.ClientBase): Inside => client as unknown as Inside

/** The process of Postgres that serves a connection: what NOTIFY names, and pg_stat_activity. */
export function processIdOf(client: pg.ClientBase): number {
  return inside(client).processID
}

/** Ends a connection without a word: whoever has it hears that it is lost. */
export function breakOff(client: pg.ClientBase): void {
  inside(client).connection.stream.destroy()
}
