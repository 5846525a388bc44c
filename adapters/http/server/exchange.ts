import type { IncomingMessage } from 'node:http'
import type { BodyRoom } from './input/read-body.js'
import type { RequestFacts } from './request-facts.js'

/**
 * Who sends a request: an account, a credential that names none, or nobody that says who it is. `not asked` before, and for
 * good where the request comes to no operation.
 */
export type Sender = 'not asked' | 'nobody' | 'unresolved' | 'account'

/** One request on its way to its answer. */
export interface Exchange {
  readonly raw: IncomingMessage
  readonly facts: RequestFacts
  /** Path parameters, decoded. */
  readonly params: unknown
  /** The URL up to the query, and the query without its question mark. */
  readonly path: string
  readonly search: string
  readonly room: BodyRoom
  /** What the client sent, as far as it was read: describeError takes it out of what is logged. */
  readonly received: unknown[]
  /** Written once the credential is resolved. */
  sender: Sender
}

/** Does the work of a request. What it throws becomes the answer too. */
export type Work<Result> = (exchange: Exchange) => Promise<Result>
