import type { IncomingMessage } from 'node:http'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Language } from '../../../domain/text/languages.ts'
import type { Authenticated } from '../authentication/credential.ts'
import type { Meter } from './meter.ts'
import type { RequestFacts } from './request-facts.ts'
import type { RequestShare } from './shares/request-share.ts'

/**
 * The sender of a request: an account, a credential that does not resolve, or nobody without a credential. `not asked` until it
 * is resolved, and for good if the request reaches no operation.
 */
export type Sender = 'not asked' | 'nobody' | 'unresolved' | 'account'

/** One request, until it is answered. */
export interface Exchange {
  readonly raw: IncomingMessage
  readonly facts: RequestFacts
  /** Decoded path parameters. */
  readonly params: unknown
  /** The URL up to the query, and the query without its question mark. */
  readonly path: string
  readonly search: string
  readonly share: RequestShare
  /** Whether the credential resolved to an account the last time it was checked. */
  readonly isKnown: boolean
  readonly meter: Meter
  /** What the client sent, as far as it was read. describeError removes it from log entries. */
  readonly received: unknown[]
  /** The body that a page sends instead of the client. If absent, the client's is read, as JSON or as a form. */
  readonly body?: unknown
  sender: Sender
  /** The account that the credential resolved to; undefined until then, and for nobody. */
  accountId: AccountId | undefined
  /** The language of error messages: the account's, or that of Accept-Language without an account. */
  language: Language
  /**
   * Called with the result of resolving the credential; undefined for nobody. 503 SERVICE_UNAVAILABLE if the sender already has
   * as many requests at work as it may.
   */
  nameSender(authenticated: Authenticated | undefined): void
}

/** Does the work of a request. An error becomes the answer too. */
export type Work<Result> = (exchange: Exchange) => Promise<Result>
