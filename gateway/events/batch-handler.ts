import { endedSessions } from '../../domain/account/ended-sessions.ts'
import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { Position } from '../../domain/kernel/position.ts'
import { tellingOf } from '../dispatches/tellings.ts'
import type { GatewayLog } from '../log.ts'
import { tellOfHandover } from '../dispatches/accounts/auth-session-change.ts'
import type { ExpectedHandovers } from '../sessions/expected-handovers.ts'
import type { SessionStarts } from '../starts/session-starts.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { World } from '../visibility/world.ts'
import type { MemberLists } from '../member-lists/member-lists.ts'
import type { PresenceWatch } from '../presences/presence-watch.ts'
import type { Announce } from './announcer.ts'
import { comesAfterMessages } from './comes-after-messages.ts'
import { asToldOf } from './bots-of-owner.ts'
import { accountOf, isOfAccount, knownEventIn, type KnownEvent } from '../visibility/known-event.ts'
import { LookupFailed, type Lookups } from '../visibility/lookups.ts'
import type { RecentEvents } from './recent-events.ts'
import { closesAccount } from './closes-account.ts'
import { revokedBotTokenIn } from './revoked-bot-token.ts'

export interface BatchSettings {
  readonly world: World
  readonly sessions: Sessions
  readonly starts: SessionStarts
  readonly recent: RecentEvents
  readonly lookups: Lookups
  readonly handovers: ExpectedHandovers
  readonly announce: Announce
  /** Announces the messages that come before the next event; takes the position of the newest one. Never rejects. */
  readonly announceMessages: (newest: Position) => Promise<void>
  readonly watch: PresenceWatch
  readonly memberLists: Pick<MemberLists, 'note'>
  readonly log: GatewayLog
}

/** What the event loop does with events from the bus. */
export interface BatchHandler {
  /** Announces the events of a batch in order, each position once. Never rejects. */
  handle(events: readonly RecordedEvent[]): Promise<void>
  /** Ends every session, since events up to a position are lost and can no longer be dispatched. */
  lose(position: Position): void
}

export function batchHandler(settings: BatchSettings): BatchHandler {
  const { world, sessions, recent, announce, announceMessages, watch, memberLists, log } = settings
  return {
    async handle(events) {
      if (events.length > 1) await lookAhead(settings, events)
      const newest = events.at(-1)?.position ?? recent.handled
      for (const recorded of events) {
        // The carrier may deliver an event twice.
        if (recorded.position <= recent.handled) continue
        endBotSessions(settings, recorded)
        const event = knownEventIn(recorded)
        if (event) {
          if (comesAfterMessages(event) && world.concerns(event)) await announceMessages(newest)
          noteAccount(settings, event)
          endSessionsOfBots(settings, event)
          const wasClosed = watch.isOfClosedGuild(event)
          for (const told of asToldOf(world, event)) {
            if (told !== event) noteAccount(settings, told)
            await announce(world, told)
          }
          endSessionsOfFormerBot(settings, event)
          watch.note(event, wasClosed)
          memberLists.note(event)
        }
        recent.note(recorded.position, event)
      }
      world.closeEmptyRooms()
    },
    lose(position) {
      log.error({ position: position.toString() }, 'too many events wait; every session was ended')
      recent.skipTo(position)
      for (const session of sessions.all()) sessions.end(session)
      world.closeEmptyRooms()
    },
  }
}

/** Looks up together what the events of a batch will need. Failed lookups are repeated where they are needed. */
async function lookAhead({ world, lookups, log }: BatchSettings, events: readonly RecordedEvent[]): Promise<void> {
  const known = events.flatMap((event) => knownEventIn(event) ?? []).filter((event) => world.concerns(event))
  const ids = new Set(known.flatMap((event) => tellingOf(event).accounts ?? []))
  if (ids.size === 0) return
  try {
    await lookups.accountsOf([...ids])
  } catch (error) {
    if (!(error instanceof LookupFailed)) throw error
    log.warn({ error }, 'the accounts of a batch could not be looked up at once')
  }
}

/** No session continues, or starts, with an invalid bot token. */
function endBotSessions({ starts, sessions }: BatchSettings, recorded: RecordedEvent): void {
  const revoked = revokedBotTokenIn(recorded)
  if (!revoked) return
  starts.revoke(revoked.tokenHash)
  sessions.revoke(revoked.bot, revoked.tokenHash)
}

/** The tokens of an account's bots end with its delegations. */
function endSessionsOfBots({ starts, sessions, world }: BatchSettings, { type, data, position }: KnownEvent): void {
  if (type !== 'DelegationsEnded') return
  starts.revokeBotsOf(data.accountId)
  const ofBots = world.botsOf(data.accountId).flatMap((bot) => [...world.sessionsOf(bot)])
  for (const session of ofBots) if (session.since < position) sessions.end(session)
}

/** A bot token is not valid while the account is not a bot (decision 78). */
function endSessionsOfFormerBot(
  { starts, sessions, world }: BatchSettings,
  { type, data, position }: KnownEvent,
): void {
  if (type !== 'BotStatusSet' || data.bot) return
  starts.revokeBot(data.accountId)
  for (const session of world.sessionsOf(data.accountId)) if (session.since < position) sessions.end(session)
}

/** Updates what is remembered of an account after one of its own events, here and in starts in progress. */
function noteAccount({ lookups, starts, sessions, handovers }: BatchSettings, event: KnownEvent): void {
  const account = accountOf(event)
  if (account === undefined || !isOfAccount(event)) return
  lookups.forget(account)
  if (closesAccount(event)) {
    starts.revokeAll(account)
    sessions.endAllOf(account)
  }
  if (event.type !== 'SessionEnded' && event.type !== 'SessionsEnded') return
  const successor = event.type === 'SessionEnded' ? event.data.successor : undefined
  for (const tokenHash of endedSessions(event)) {
    starts.revoke(tokenHash)
    const handover = successor === undefined ? undefined : handovers.take(tokenHash, successor)
    if (handover) tellOfHandover(sessions, sessions.ofToken(account, tokenHash), handover)
    else sessions.revoke(account, tokenHash)
  }
}
