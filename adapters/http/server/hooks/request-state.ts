import type { AllowedOrigins } from '../cross-origin.ts'
import type { RefusalPage } from '../../pages/refusal-page.ts'
import type { Logger } from 'pino'
import type { Outages } from '../../../../application/ports/outages.ts'
import type { AddressGate } from '../../brakes/address-gate.ts'
import type { LateAnswers } from '../../brakes/late-answers.ts'
import type { Exchange } from '../../request/exchange.ts'
import type { HttpMetrics } from '../http-metrics.ts'
import type { InFlight } from '../in-flight.ts'
import type { QueueName, RequestQueues } from '../../request/queues/request-queues.ts'
import type { ExchangeParts } from '../open-exchange.ts'

/** What the hooks and the handlers of a server share. */
export interface HookParts extends ExchangeParts {
  readonly inFlight: InFlight
  readonly queues: RequestQueues
  readonly lateAnswers: LateAnswers
  /** How long a client may take to read an answer. */
  readonly answer_ms_max: number
  /** Whether requests are accepted at all. */
  readonly isServing: () => boolean
  /** Whether each connection is closed after the answer under way. */
  readonly closing: () => boolean
  /** If absent, every address is let in. */
  readonly gate?: AddressGate | undefined
  readonly metrics: HttpMetrics
  readonly logger: Logger
  readonly outages: Outages
  readonly version: string
  /** Whether the log has a line for each request at level info. */
  readonly accessLog: boolean
  /** The origins whose pages may read answers. */
  readonly corsOrigins: AllowedOrigins
  /** Makes the page that a browser shows instead of a refusal. If absent, there is none. */
  readonly refusalPage?: RefusalPage | undefined
}

/** What a route tells the hooks: Fastify's `config` of it. */
export interface RouteConfig {
  /** The operation's name, for metrics and logs. */
  readonly name: string
  /** Health and metrics are needed most when the server is overloaded. */
  readonly beyondCeiling?: boolean
  /** The monitors of the server ask for health. */
  readonly beyondBans?: boolean
  readonly openToAllOrigins?: boolean
  /** Whether people open such addresses in a browser, which then shows a refusal as a page. */
  readonly openedByPeople?: boolean
  /** Its failures are no reason to ban a network: one wrong setting would ban a store. */
  readonly beyondBrake?: boolean
  /** The queue in which requests wait for their turn. If absent, they do not wait. */
  readonly queue?: QueueName
}

/** What the hooks keep of a request until it is answered. */
export interface RequestState {
  readonly route: RouteConfig
  readonly exchange: Exchange
  /** As of when the request is timed, by the clock of `performance`. */
  readonly began_ms: number
  /** Whether its answer has been on its way before: the error of a body that fails before its first piece is answered once more. */
  isAnswered: boolean
  /** Call when its work is done. */
  readonly end: () => void
}

declare module 'fastify' {
  interface FastifyContextConfig extends RouteConfig {}
  interface FastifyRequest {
    state: RequestState
  }
}
