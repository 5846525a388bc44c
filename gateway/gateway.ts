import type { IncomingMessage, Server } from 'node:http'
import type { AllQueries } from '../application/ports.ts'
import type { Messages } from '../application/ports/messages.ts'
import type { BotTokens } from '../application/ports/credentials.ts'
import type { Position } from '../domain/kernel/position.ts'
import type { EventBus } from '../application/ports/event-bus.ts'
import type { AccountId } from '../domain/ids/ids.ts'
import type { Timestamp } from '../domain/kernel/timestamp.ts'
import type { Presence, PresenceExchange, PresentSession } from '../application/ports/presence.ts'
import type { ShowAccount } from '../application/ports/queries/account-queries.ts'
import type { SessionSnapshots } from '../application/ports/queries/session-snapshot.ts'
import type { Reminder } from '../application/ports/reminders.ts'
import type { SessionTokens } from '../application/ports/session-tokens.ts'
import type { ReadStates } from '../application/ports/read-states.ts'
import type { ThreadLookups } from '../application/ports/thread-lookups.ts'
import type { TypingStart } from '../application/ports/typing.ts'
import type { StartedSessions } from '../application/ports/started-sessions.ts'
import { commandHandler } from './commands/command-handler.ts'
import { requestHandlers } from './commands/requests.ts'
import { Addresses } from './connections/addresses.ts'
import { Connections } from './connections/connections.ts'
import { everybody, type Gate } from './connections/gate.ts'
import { acceptUpgrades } from './connections/upgrades.ts'
import { announcer } from './events/announcer.ts'
import { batchHandler } from './events/batch-handler.ts'
import { EventLoop } from './events/event-loop.ts'
import { Lookups, type Sources } from './visibility/lookups.ts'
import { noNotes, noReadStates, noThreads } from './visibility/no-sources.ts'
import { RecentEvents } from './events/recent-events.ts'
import { reminding } from './events/reminder.ts'
import { gatewayLimits, withoutRateLimits, type GatewayLimits } from './limits.ts'
import type { GatewayLog } from './log.ts'
import { followNotices, type MessageSource } from './messages/follow-notices.ts'
import { messageAnnouncer, type MessageAnnouncerSettings } from './messages/message-announcer.ts'
import { tellTyping } from './messages/typing.ts'
import { NewestMessages } from './visibility/newest-messages.ts'
import { NoticesInTurn } from './messages/notices-in-turn.ts'
import { expectedHandovers, type ExpectedHandovers } from './sessions/expected-handovers.ts'
import { PresenceWatch } from './presences/presence-watch.ts'
import { tellPresences } from './presences/presence-updates.ts'
import { sessionLists } from './sessions/session-lists.ts'
import { SessionStarts } from './starts/session-starts.ts'
import type { Session } from './sessions/session.ts'
import { Sessions } from './sessions/sessions.ts'
import { Ticker, type GatewayClock } from './ticker.ts'
import { OnlineMembers } from './visibility/online-members.ts'
import { localPresenceOf, presenceOf } from './visibility/presence.ts'
import { seenPresences } from './visibility/seen-presences.ts'
import { World } from './visibility/world.ts'

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

export interface Gateway {
  /** For the whole instance, if the Gateway shares presence with the others. */
  readonly presence: Presence
  /**
   * Sends every client elsewhere with op 7 and 4000. Resolves once they are gone: within `drain_ms_max`. Then nobody is online.
   */
  drain(): Promise<void>
  /** Ends every socket at once, and stops listening. */
  close(): void
  stats(): GatewayStats
}

/** The Gateway's current state, for the metrics. */
export interface GatewayStats {
  readonly connections: number
  readonly sessions: number
  readonly guilds: number
  readonly queuedEvents: number
  /** Since the start: dispatches, counted once per session; and clients cut because they did not read. */
  readonly dispatches: number
  readonly slowClients: number
}

/**
 * Opens the Gateway on an HTTP server. From here on it follows the bus: a snapshot taken later contains everything that the bus
 * carried before.
 */
export function openGateway(settings: GatewaySettings): Gateway {
  const { server, bus, log, presenceExchange, gate = everybody } = settings
  const parts = assemble(settings)
  const { connections, sessions, world, online, loop, ticker } = parts
  const stops = [
    bus.subscribe((events) => loop.push(events)),
    settings.reminders?.subscribe(parts.remind),
    settings.typing?.subscribe(parts.typing),
    followMessages(settings.messages, parts),
    gate.onChange(() => connections.closeThose((address) => gate.refusalOf(address) !== undefined)),
  ]
  const stopAccepting = acceptUpgrades({
    server,
    isOpen: () => connections.isOpen,
    turnsAway: (request) => gate.refusalOf(parts.clientAddress(request)) ?? settings.originRefusal?.(request.headers),
    arrive: (arrival) => connections.arrive(arrival),
    onError: (error) => log.debug({ error }, 'a socket failed'),
  })
  return {
    presence: presenceOf(world, online, presenceExchange),
    drain: async () => {
      await connections.drain()
      presenceExchange?.leave()
    },
    close: () => {
      for (const stop of stops) stop?.()
      presenceExchange?.leave()
      connections.terminate()
      stopAccepting()
      ticker.stop()
    },
    stats: () => ({
      connections: connections.count,
      sessions: sessions.count,
      guilds: world.roomCount,
      queuedEvents: loop.queued_events,
      dispatches: parts.dispatched(),
      slowClients: connections.cut,
    }),
  }
}

/** Announces messages from now on, until the returned function is called. */
function followMessages(source: MessageSource | undefined, parts: ReturnType<typeof assemble>): () => void {
  const stop = new AbortController()
  const { inTurn } = parts
  if (source && inTurn) {
    const onLost = (): void => {
      for (const session of parts.sessions.all()) parts.end(session)
    }
    void followNotices({ ...parts, source, inTurn, onLost }, stop.signal)
  }
  return () => {
    stop.abort()
  }
}

/** The parts that nearly everything in the Gateway needs. */
function coreOf(
  { clock, log, limits, rateLimits, presenceExchange }: GatewaySettings,
  onDispatched: (sessions: number) => void,
) {
  const chosen = { ...gatewayLimits, ...limits }
  const ticker = new Ticker(clock, (error) => {
    log.error({ error }, 'a timed task failed')
  })
  const online = new OnlineMembers(presenceExchange)
  const world = new World(online, (account) => {
    presenceExchange?.accountChanged(account)
    changed(account)
  })
  const elsewhere = (account: AccountId): readonly PresentSession[] =>
    presenceExchange?.sessionsElsewhere(account) ?? []
  const lists = sessionLists({ world, ticker, listed_max: chosen.sessionsPerAccount_max, elsewhere, onDispatched })
  const watch = new PresenceWatch({ world, elsewhere })
  const changed = (account: AccountId): void => {
    lists.accountChanged(account)
    watch.accountChanged(account)
  }
  presenceExchange?.join(localPresenceOf(world, online), changed)
  const effective = rateLimits ? chosen : withoutRateLimits(chosen)
  const recent = new RecentEvents(effective.recentEvents_max)
  const sessions = new Sessions(world, ticker)
  return { limits: effective, log, ticker, online, world, lists, watch, recent, sessions, elsewhere }
}

/** The lookups for dispatches, and their caches. */
function lookingUp(settings: GatewaySettings, core: ReturnType<typeof coreOf>) {
  const { limits, ticker } = core
  const { queries, snapshots, threads = noThreads, lastMessages = async () => new Map() } = settings
  const { readStates = noReadStates, notes = noNotes } = settings
  const lookups = new Lookups({
    sources: { ...queries, threads, lastMessages, readStates, notes, snapshots },
    show: settings.show ?? ((account) => Promise.resolve(account)),
    ticker,
    cachedAccounts_max: limits.cachedAccounts_max,
  })
  const newest = new NewestMessages({
    lookUp: (channels) => lookups.ask(({ lastMessages: lastOf }) => lastOf(channels)),
    channels_max: limits.newestMessages_max,
  })
  const presences = seenPresences({ ...core, lookups, now: () => settings.clock.now() })
  return { lookups, newest, presences }
}

function assemble(settings: GatewaySettings) {
  const { botTokens, clock, snapshots, sessionTokens, randomBytes } = settings
  let dispatched = 0
  const onDispatched = (count: number): void => {
    dispatched += count
  }
  const core = coreOf(settings, onDispatched)
  const { limits, sessions } = core
  const { lookups, newest, presences } = lookingUp(settings, core)
  const end = (session: Session): void => {
    sessions.end(session)
  }
  const now = (): Timestamp => clock.now()
  const announce = announcer({ ...core, lookups, newest, end, onDispatched })
  const loop = new EventLoop({
    handle: (events) => batches.handle(events),
    queuedEvents_max: limits.queuedEvents_max,
    onOverrun: (lost) => batches.lose(lost),
  })
  const starts = new SessionStarts({
    ...core,
    loop,
    announce,
    sessionTokens,
    botTokens,
    snapshots,
    accountsOf: (ids) => lookups.accountsOf(ids),
    lookups,
    newest,
    presences,
    threadsFor: ({ id, bot }) => lookups.ask(({ threads }) => threads.activeFor(id, bot)),
    startedSessions: settings.startedSessions ?? { note: () => Promise.resolve() },
    randomBytes,
    now,
    gatewayUrl: settings.gatewayUrl,
  })
  const handovers = settings.handovers ?? expectedHandovers()
  const announcing = { ...core, lookups, newest, end, now, onDispatched, loop }
  const inTurn = settings.messages && noticesInTurn(settings.messages, announcing)
  const announceMessages = async (newest: Position): Promise<void> => inTurn?.announceAhead(newest)
  const batches = batchHandler({ ...core, starts, lookups, handovers, announce, announceMessages })
  const addresses = new Addresses(limits)
  const clientAddress = settings.clientAddress ?? (({ socket }) => socket.remoteAddress ?? '')
  const asking = { ...core, lookups, newest, presences, now }
  const connections = new Connections({
    ...core,
    addresses,
    versions: new Set(['1', ...(settings.clientVersions ?? [])]),
    clientAddress,
    command: commandHandler({ ...asking, ...requestHandlers(asking), addresses, starts }),
    ended: (connection) => {
      if (connection.session) sessions.detach(connection.session, connection)
    },
  })
  tellPresences({ ...core, lookups, presences, loop, onDispatched })
  const remind = reminding({ ...core, loop, lookups, now, onDispatched })
  const typing = tellTyping({ ...core, lookups, now, onDispatched })
  const eventParts = { loop, remind, typing, lookups, newest, end, now, onDispatched, dispatched: () => dispatched }
  return { ...core, ...eventParts, inTurn, connections, clientAddress }
}

function noticesInTurn(
  messages: MessageSource,
  parts: Omit<MessageAnnouncerSettings, 'messages' | 'recent'> & { readonly recent: RecentEvents },
): NoticesInTurn {
  return new NoticesInTurn({ ...parts, notices: messages.notices, announce: messageAnnouncer({ ...parts, messages }) })
}
