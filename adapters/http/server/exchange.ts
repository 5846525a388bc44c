import type { IncomingMessage } from 'node:http'
import type { BodyRoom } from './read-body.js'
import type { RequestFacts } from './request-facts.js'

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
}

/** Does the work of a request. What it throws becomes the answer too. */
export type Work<Result> = (exchange: Exchange) => Promise<Result>
