import type { IncomingMessage } from 'node:http'
import type { Language } from '../../../domain/text/languages.js'
import type { Authenticated } from '../authentication/credential.js'
import type { Meter } from './meter.js'
import type { RequestFacts } from './request-facts.js'
import type { RequestShare } from './shares/request-share.js'

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
  readonly share: RequestShare
  /** Whether the credential named somebody when it was resolved last. */
  readonly isKnown: boolean
  readonly meter: Meter
  /** What the client sent, as far as it was read: describeError takes it out of what is logged. */
  readonly received: unknown[]
  sender: Sender
  /** Of error messages: the account's, and where there is none that of Accept-Language (reference identity 1.12). */
  language: Language
  /**
   * Says whom the credential names, once it is resolved; undefined for nobody. 503 SERVICE_UNAVAILABLE where they have as many
   * requests at work as they may.
   */
  nameSender(authenticated: Authenticated | undefined): void
}

/** Does the work of a request. What it throws becomes the answer too. */
export type Work<Result> = (exchange: Exchange) => Promise<Result>
