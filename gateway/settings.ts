import type { IncomingMessage, Server } from 'node:http'
import type { AllQueries } from '../application/ports.ts'
import type { Messages } from '../application/ports/messages.ts'
import type { BotTokens } from '../application/ports/credentials.ts'
import type { EventBus } from '../application/ports/event-bus.ts'
import type { PresenceExchange } from '../application/ports/presence.ts'
import type { ShowAccount } from '../application/ports/queries/account-queries.ts'
import type { SessionSnapshots } from '../application/ports/queries/session-snapshot.ts'
import type { Reminder } from '../application/ports/reminders.ts'
import type { SessionTokens } from '../application/ports/session-tokens.ts'
import type { ReadStates } from '../application/ports/read-states.ts'
import type { ThreadLookups } from '../application/ports/thread-lookups.ts'
import type { TypingStart } from '../application/ports/typing.ts'
import type { StartedSessions } from '../application/ports/started-sessions.ts'
import type { Gate } from './connections/gate.ts'
import type { GatewayLimits } from './limits.ts'
import type { GatewayLog } from './log.ts'
import type { MessageSource } from './messages/follow-notices.ts'
import type { ExpectedHandovers } from './sessions/expected-handovers.ts'
import type { GatewayClock } from './ticker.ts'
import type { Sources } from './visibility/lookups.ts'

export interface GatewaySettings {
  /** The Gateway handles upgrades at /gateway; everything else stays with the server. */
  readonly server: Server
  readonly bus: Pick<EventBus, 'subscribe'>
  readonly sessionTokens: SessionTokens
  readonly botTokens: BotTokens
  readonly snapshots: SessionSnapshots
  /** Called for every account whose session starts, before READY; nothing by default. */
  readonly startedSessions?: Pick<StartedSessions, 'note'>
  /** What tellings look up. Accounts as they are found: they are shown by `show`. */
  readonly queries: AllQueries
  /** How accounts are shown now; by default as they were found. */
  readonly show?: ShowAccount
  /** The newest message and the last pin of each channel; none by default. */
  readonly lastMessages?: Messages['lastOf']
  /** What accounts have read; nothing by default. */
  readonly readStates?: Pick<ReadStates, 'of' | 'forgetLeft'>
  /** What accounts note about accounts; nothing by default. */
  readonly notes?: Sources['notes']
  /** The source of messages; none by default. */
  readonly messages?: MessageSource
  /** None by default. */
  readonly threads?: ThreadLookups
  readonly clock: GatewayClock
  /** Cryptographically random. */
  readonly randomBytes: (count: number) => Uint8Array
  readonly log: GatewayLog
  /** The instance switch RATE_LIMITS. */
  readonly rateLimits: boolean
  readonly limits?: Partial<GatewayLimits>
  /** Versions that clients may ask for beside 1, and get version 1; none by default. */
  readonly clientVersions?: readonly string[]
  /** Where clients find the Gateway, as the discovery document says; READY does not say so by default. */
  readonly gatewayUrl?: () => string
  /** Sessions that are to be replaced by others; none by default. */
  readonly handovers?: ExpectedHandovers
  /** The address that a request counts for; by default its socket's. */
  readonly clientAddress?: (request: IncomingMessage) => string
  /** Decides who may connect and stay; everybody by default. */
  readonly gate?: Gate
  /** Why the page of a browser may not connect, as the JSON of a refusal; pages of all origins may by default. */
  readonly originRefusal?: (headers: IncomingMessage['headers']) => string | undefined
  /** Accounts whose sessions must get them or their settings again; none by default. */
  readonly reminders?: { subscribe(handle: (reminder: Reminder) => void): () => void }
  /** Accounts that begin to write messages; none by default. */
  readonly typing?: { subscribe(handle: (typing: TypingStart) => void): () => void }
  /** For an instance with several Gateways: shares who is online, and in which sessions. The Gateway joins and leaves it. */
  readonly presenceExchange?: PresenceExchange
}
