import type { IncomingMessage, Server } from 'node:http'
import type { BotTokens } from '../application/ports/credentials.js'
import type { EventBus } from '../application/ports/event-bus.js'
import type { AccountId } from '../domain/ids/ids.js'
import type { Presence, PresenceExchange, PresentSession } from '../application/ports/presence.js'
import type { AccountQueries } from '../application/ports/queries/account-queries.js'
import type { PasskeyQueries } from '../application/ports/queries/passkey-queries.js'
import type { UserSettingsQueries } from '../application/ports/queries/user-settings-queries.js'
import type { SessionSnapshots } from '../application/ports/queries/session-snapshot.js'
import type { SettingsReminder } from '../application/ports/settings-reminders.js'
import type { SessionTokens } from '../application/ports/session-tokens.js'
import { commandHandler } from './commands/command-handler.js'
import { Addresses } from './connections/addresses.js'
import { Connections } from './connections/connections.js'
import { acceptUpgrades, type UpgradeSettings } from './connections/upgrades.js'
import { announcer } from './events/announcer.js'
import { batchHandler } from './events/batch-handler.js'
import { EventLoop } from './events/event-loop.js'
import { Lookups } from './events/lookups.js'
import { RecentEvents } from './events/recent-events.js'
import { settingsReminder } from './events/settings-reminder.js'
import { guildRequests } from './commands/guild-requests.js'
import { gatewayLimits, withoutRateLimits, type GatewayLimits } from './limits.js'
import type { GatewayLog } from './log.js'
import { expectedHandovers, type ExpectedHandovers } from './sessions/expected-handovers.js'
import { sessionLists } from './sessions/session-lists.js'
import { SessionStarts } from './sessions/session-starts.js'
import { Sessions } from './sessions/sessions.js'
import { Ticker, type GatewayClock } from './time/ticker.js'
import { OnlineMembers } from './visibility/online-members.js'
import { localPresenceOf, presenceOf } from './visibility/presence.js'
import { World } from './visibility/world.js'

export interface GatewaySettings {
  /** Upgrades at /gateway become the Gateway's; everything else stays the server's. */
  readonly server: Server
  readonly bus: Pick<EventBus, 'subscribe'>
  readonly sessionTokens: SessionTokens
  readonly botTokens: BotTokens
  readonly snapshots: SessionSnapshots
  readonly accounts: AccountQueries
  readonly passkeys: PasskeyQueries
  readonly userSettings: UserSettingsQueries
  readonly clock: GatewayClock
  /** Cryptographically random. */
  readonly randomBytes: (count: number) => Uint8Array
  readonly log: GatewayLog
  /** The instance switch RATE_LIMITS. */
  readonly rateLimits: boolean
  readonly limits?: Partial<GatewayLimits>
  /** Sessions of which others take the place; none by default. */
  readonly handovers?: ExpectedHandovers
  /** The address that a request counts for; by default that of its socket. */
  readonly clientAddress?: (request: IncomingMessage) => string
  /** Says why a client may not connect, as the JSON of a refusal; by default everybody may. */
  readonly turnsAway?: UpgradeSettings['turnsAway']
  /** Accounts whose sessions are to be told their settings again; none by default. */
  readonly reminders?: { subscribe(handle: (reminder: SettingsReminder) => void): () => void }
  /** Where the instance has other Gateways: shares with them who is online, and in which sessions. The Gateway joins and leaves it. */
  readonly presenceExchange?: PresenceExchange
}

export interface Gateway {
  /** Of the whole instance, where the Gateway shares presence with the others. */
  readonly presence: Presence
  /** Sends every client elsewhere with op 7 and 4000, and resolves once they are gone: within `drain_ms_max`. Nobody is online here then. */
  drain(): Promise<void>
  /** Ends every socket at once, and listens to nothing any more. */
  close(): void
  stats(): GatewayStats
}

/** How the Gateway is doing now, for the metrics. */
export interface GatewayStats {
  readonly connections: number
  readonly sessions: number
  readonly guilds: number
  readonly queuedEvents: number
  /** Since the beginning: dispatches, counted once a session; and clients cut because they did not read. */
  readonly dispatches: number
  readonly slowClients: number
}

/**
 * Opens the Gateway on an HTTP server. From here on it follows the bus: a snapshot that is taken afterwards holds everything
 * that the bus carried before.
 */
export function openGateway(settings: GatewaySettings): Gateway {
  const { server, bus, log, presenceExchange } = settings
  const parts = assemble(settings)
  const { connections, sessions, world, online, loop, ticker } = parts
  const unsubscribe = bus.subscribe((events) => {
    loop.push(events)
  })
  const stopReminding = settings.reminders?.subscribe(parts.remind)
  const stopAccepting = acceptUpgrades({
    server,
    isOpen: () => connections.isOpen,
    turnsAway: settings.turnsAway ?? (() => undefined),
    arrive: (arrival) => {
      connections.arrive(arrival)
    },
    onError: (error) => {
      log.debug({ error }, 'a socket failed')
    },
  })
  return {
    presence: presenceOf(world, online, presenceExchange),
    drain: async () => {
      await connections.drain()
      presenceExchange?.leave()
    },
    close: () => {
      unsubscribe()
      stopReminding?.()
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

/** What nearly everything in the Gateway stands on. */
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
    lists.accountChanged(account)
  })
  const elsewhere = (account: AccountId): readonly PresentSession[] =>
    presenceExchange?.sessionsElsewhere(account) ?? []
  const lists = sessionLists({ world, ticker, listed_max: chosen.sessionsPerAccount_max, elsewhere, onDispatched })
  presenceExchange?.join(localPresenceOf(world, online), (account) => {
    lists.accountChanged(account)
  })
  const effective = rateLimits ? chosen : withoutRateLimits(chosen)
  const recent = new RecentEvents(effective.recentEvents_max)
  return { limits: effective, log, ticker, online, world, lists, recent, sessions: new Sessions(world, ticker) }
}

function assemble(settings: GatewaySettings) {
  const { accounts, botTokens, clock, passkeys, userSettings, snapshots, sessionTokens, randomBytes } = settings
  let dispatched = 0
  const onDispatched = (count: number): void => {
    dispatched += count
  }
  const core = coreOf(settings, onDispatched)
  const { limits, ticker, sessions } = core
  const lookups = new Lookups({
    accounts,
    passkeys,
    userSettings,
    snapshots,
    ticker,
    cachedAccounts_max: limits.cachedAccounts_max,
  })
  const announce = announcer({
    ...core,
    lookups,
    end: (session) => {
      sessions.end(session)
    },
    onDispatched,
  })
  const loop = new EventLoop({
    handle: (events) => batches.handle(events),
    queuedEvents_max: limits.queuedEvents_max,
    onOverrun: (lost) => {
      batches.lose(lost)
    },
  })
  const starts = new SessionStarts({
    ...core,
    loop,
    announce,
    sessionTokens,
    botTokens,
    snapshots,
    randomBytes,
    now: () => clock.now(),
  })
  const handovers = settings.handovers ?? expectedHandovers()
  const batches = batchHandler({ ...core, starts, lookups, handovers, announce })
  const addresses = new Addresses(limits)
  const connections = new Connections({
    ...core,
    addresses,
    clientAddress: settings.clientAddress ?? (({ socket }) => socket.remoteAddress ?? ''),
    command: commandHandler({ ...core, addresses, starts, guildRequests: guildRequests(core) }),
    ended: (connection) => {
      if (connection.session) sessions.detach(connection.session, connection)
    },
  })
  const remind = settingsReminder({ ...core, loop, lookups, now: () => clock.now(), onDispatched })
  return { ...core, connections, loop, remind, dispatched: () => dispatched }
}
