import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import pg from 'pg'

/** What servers of this process asked Postgres for on behalf of one request. */
export interface Asked {
  /** Each statement on its way to Postgres and back, in order. */
  readonly statements: string[]
}

const requestStarted = 'http.server.request.start'

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
  const { prototype } = pg.Client
  const { query } = prototype
  prototype.query = function counted(this: pg.Client, ...parameters: unknown[]) {
    const [first] = parameters
    const text = typeof first === 'string' ? first : (first as { readonly text: string }).text
    const asked = storage.getStore()
    if (asked) asked.statements.push(text.replaceAll(/\s+/g, ' ').trim())
    else beside += 1
    return Reflect.apply(query, this, parameters) as unknown
  } as typeof query
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
      prototype.query = query
      unsubscribe(requestStarted, begin)
    },
  }
}
