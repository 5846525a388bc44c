import type { Position } from '../domain/kernel/position.ts'
import type { Timestamp } from '../domain/kernel/timestamp.ts'
import type { Presence } from '../application/ports/presence.ts'
import { coreOf, lookingUp } from './core.ts'
import { commandHandler } from './commands/command-handler.ts'
import { requestHandlers } from './commands/requests.ts'
import { Addresses } from './connections/addresses.ts'
import { Connections } from './connections/connections.ts'
import { everybody } from './connections/gate.ts'
import { acceptUpgrades } from './connections/upgrades.ts'
import { announcer, type Announce } from './events/announcer.ts'
import { batchHandler } from './events/batch-handler.ts'
import { EventLoop } from './events/event-loop.ts'
import type { RecentEvents } from './events/recent-events.ts'
import { reminding } from './events/reminder.ts'
import { MemberLists } from './member-lists/member-lists.ts'
import { followNotices, type MessageSource } from './messages/follow-notices.ts'
import { messageAnnouncer, type MessageAnnouncerSettings } from './messages/message-announcer.ts'
import { tellTyping } from './messages/typing.ts'
import { NoticesInTurn } from './messages/notices-in-turn.ts'
import { expectedHandovers } from './sessions/expected-handovers.ts'
import { tellPresences } from './presences/presence-updates.ts'
import { SessionStarts } from './starts/session-starts.ts'
import type { Session } from './sessions/session.ts'
import { presenceOf } from './visibility/presence.ts'
import type { GatewaySettings } from './settings.ts'

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
  /** Those of them whose payloads are compressed. */
  readonly compressed: number
  readonly sessions: number
  readonly guilds: number
  readonly queuedEvents: number
  /** What sessions keep for replays. */
  readonly replays_bytes: number
  /** Since the start: dispatches, counted once per session; clients cut because they did not read; unknown notices left out. */
  readonly dispatches: number
  readonly slowClients: number
  readonly unknownNotices: number
  /** How often a session gave up what it kept for a replay, since all sessions kept too much. */
  readonly lostReplays: number
  /** The lists of members that sessions look at; the members of all guilds that have such lists; and requests that were one too many. */
  readonly memberLists: number
  readonly listedMembers: number
  readonly refusedMemberLists: number
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
      compressed: connections.compressed,
      sessions: sessions.count,
      guilds: world.roomCount,
      queuedEvents: loop.queued_events,
      dispatches: parts.dispatched(),
      slowClients: connections.cut,
      unknownNotices: settings.messages?.notices.unknown() ?? 0,
      replays_bytes: parts.replays.bytes,
      lostReplays: parts.replays.lost,
      ...parts.memberLists.stats,
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

type Core = ReturnType<typeof coreOf> & ReturnType<typeof lookingUp>

function assemble(settings: GatewaySettings) {
  const { clock } = settings
  let dispatched = 0
  const onDispatched = (count: number): void => {
    dispatched += count
  }
  const own = coreOf(settings, onDispatched)
  const core: Core = { ...own, ...lookingUp(settings, own) }
  const { limits, sessions } = core
  const end = (session: Session): void => {
    sessions.end(session)
  }
  const now = (): Timestamp => clock.now()
  const telling = { ...core, end, now, onDispatched }
  const announce = announcer(telling)
  const loop = new EventLoop({
    handle: (events) => batches.handle(events),
    queuedEvents_max: limits.queuedEvents_max,
    onOverrun: (lost) => batches.lose(lost),
  })
  const starts = startsOf(settings, { ...telling, announce, loop })
  const handovers = settings.handovers ?? expectedHandovers()
  const inTurn = settings.messages && noticesInTurn(settings.messages, { ...telling, loop })
  const announceMessages = async (newest: Position): Promise<void> => inTurn?.announceAhead(newest)
  const memberLists = new MemberLists({ ...telling, loop })
  core.onAccount((account) => {
    memberLists.accountChanged(account)
  })
  const batches = batchHandler({ ...core, memberLists, starts, handovers, announce, announceMessages })
  const addresses = new Addresses(limits)
  const clientAddress = settings.clientAddress ?? (({ socket }) => socket.remoteAddress ?? '')
  const asking = { ...core, memberLists, now }
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
  tellPresences({ ...telling, loop })
  const remind = reminding({ ...telling, loop })
  const typing = tellTyping(telling)
  const stats = { memberLists, dispatched: () => dispatched }
  return { ...telling, ...stats, loop, remind, typing, inTurn, connections, clientAddress }
}

function startsOf(
  settings: GatewaySettings,
  parts: Core & { readonly announce: Announce; readonly loop: EventLoop; readonly now: () => Timestamp },
): SessionStarts {
  const { botTokens, snapshots, sessionTokens, randomBytes, gatewayUrl } = settings
  const { lookups } = parts
  return new SessionStarts({
    ...parts,
    sessionTokens,
    botTokens,
    snapshots,
    accountsOf: (ids) => lookups.accountsOf(ids),
    threadsFor: ({ id, bot }) => lookups.ask(({ threads }) => threads.activeFor(id, bot)),
    startedSessions: settings.startedSessions ?? { note: () => Promise.resolve() },
    randomBytes,
    gatewayUrl,
  })
}

function noticesInTurn(
  messages: MessageSource,
  parts: Omit<MessageAnnouncerSettings, 'messages' | 'recent'> & { readonly recent: RecentEvents },
): NoticesInTurn {
  return new NoticesInTurn({ ...parts, notices: messages.notices, announce: messageAnnouncer({ ...parts, messages }) })
}
