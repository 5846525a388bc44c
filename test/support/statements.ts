import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import pg from 'pg'

/** The Postgres statements that this process's servers sent for one request. */
export interface Asked {
  /** Each statement sent to Postgres and answered, in order. */
  readonly statements: string[]
}

const requestStarted = 'http.server.request.start'

/**
 * Calls `hear` with each statement that this process sends to Postgres, and with the name of the database, from now until the function
 * is called that it returns.
 */
export function hearStatements(hear: (statement: string, database: string | undefined) => void): () => void {
  const { prototype } = pg.Client
  const { query } = prototype
  prototype.query = function heard(this: pg.Client, ...parameters: unknown[]) {
    const [first] = parameters
    const text = typeof first === 'string' ? first : (first as { readonly text: string }).text
    hear(text.replaceAll(/\s+/g, ' ').trim(), this.database)
    return Reflect.apply(query, this, parameters) as unknown
  } as typeof query
  return () => {
    prototype.query = query
  }
}

/**
 * Counts the statements of requests to servers of this process, from now until `stop`. A statement is the request's that it was
 * sent for: what projectors, followers and clocks send for themselves is counted apart.
 */
export function countStatements() {
  const storage = new AsyncLocalStorage<Asked>()
  const requests: Asked[] = []
  let beside = 0
  const begin = (): void => {
    const asked: Asked = { statements: [] }
    requests.push(asked)
    storage.enterWith(asked)
  }
  subscribe(requestStarted, begin)
  const stopHearing = hearStatements((statement) => {
    const asked = storage.getStore()
    if (asked) asked.statements.push(statement)
    else beside += 1
  })
  return {
    /** The newest request. */
    newest(): Asked {
      const asked = requests.at(-1)
      if (!asked) throw new Error('There was no request')
      return asked
    },
    /** How many statements were sent for no request. */
    beside: () => beside,
    stop(): void {
      stopHearing()
      unsubscribe(requestStarted, begin)
    },
  }
}
