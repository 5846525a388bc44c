/** A connection of Postgres, as far as an elector needs it: its session holds the locks. A client of a pool of `pg` is one. */
export interface LockConnection {
  query(statement: {
    readonly text: string
    readonly values: (bigint | number | string)[]
  }): Promise<{ readonly rows: readonly unknown[] }>
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'end', listener: () => void): unknown
  /** Gives the connection up; with `true` it is closed. */
  release(isClosed: boolean): void
}

/** Where an elector opens its connection. A pool of `pg` is one. */
export interface LockConnections<Connection extends LockConnection> {
  connect(): Promise<Connection>
}
