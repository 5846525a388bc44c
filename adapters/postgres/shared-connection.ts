import type { Pool, PoolClient } from 'pg'

/** A connection that several users share. The session locks that they take belong to it. */
export interface Shared {
  readonly client: PoolClient
  /** The names of the locks that users have taken. Postgres would give a lock to the same session twice. */
  readonly held: Set<string>
  /** Aborts when the connection is lost, and its locks with it. */
  readonly lost: AbortSignal
  /** Has every user leave the connection, so that it is closed: its locks are free after that. */
  readonly giveUp: (reason: unknown) => void
}

export interface SharedConnection {
  /** Runs a task with the connection. If it was lost, those who come later share a new one. */
  use<Result>(task: (shared: Shared) => Promise<Result>): Promise<Result>
}

interface Place {
  readonly opened: Promise<Shared>
  users: number
}

/** One connection of a pool for all who use it at the same time. It is closed after the last one. */
export function sharedConnection(pool: Pool): SharedConnection {
  let current: Place | undefined

  async function open(forget: () => void): Promise<Shared> {
    try {
      const client = await pool.connect()
      const lost = new AbortController()
      const giveUp = (reason?: unknown): void => {
        forget()
        lost.abort(reason)
      }
      client.on('error', giveUp).on('end', giveUp)
      return { client, held: new Set(), lost: lost.signal, giveUp }
    } catch (error) {
      forget()
      throw error
    }
  }

  function newPlace(): Place {
    const forget = (): void => {
      if (current === place) current = undefined
    }
    const place: Place = { opened: open(forget), users: 0 }
    return place
  }

  return {
    async use(task) {
      const place = (current ??= newPlace())
      place.users += 1
      try {
        return await task(await place.opened)
      } finally {
        place.users -= 1
        if (place.users === 0) {
          if (current === place) current = undefined
          await place.opened.then(
            ({ client }) => client.release(true),
            () => undefined,
          )
        }
      }
    },
  }
}
