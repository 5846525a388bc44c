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
 * Counts the statements of requests to servers of this process, from now until `stop`. A statement belongs to the request that
 * it was sent for. Statements of projectors, followers and timers are not counted.
 */
export function countStatements() {
  const storage = new AsyncLocalStorage<Asked>()
  const requests: Asked[] = []
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
    storage.getStore()?.statements.push(text.replaceAll(/\s+/g, ' ').trim())
    return Reflect.apply(query, this, parameters) as unknown
  } as typeof query
  return {
    /** The newest request. */
    newest(): Asked {
      const asked = requests.at(-1)
      if (!asked) throw new Error('There was no request')
      return asked
    },
    stop(): void {
      prototype.query = query
      unsubscribe(requestStarted, begin)
    },
  }
}
