import { working } from '../../application/observation/at-work.ts'
import { trace } from '../../application/observation/traces.ts'
import { deliver } from '../dispatches/deliver.ts'
import { prepared, type Scene } from '../dispatches/telling.ts'
import { tellingOf } from '../dispatches/tellings.ts'
import type { GatewayLog } from '../log.ts'
import type { NewestMessages } from '../visibility/newest-messages.ts'
import type { Session } from '../sessions/session.ts'
import type { OnlineMembers } from '../visibility/online-members.ts'
import type { Change, World } from '../visibility/world.ts'
import { accountsOf, changesShownAccount, guildOf, type KnownEvent } from '../visibility/known-event.ts'
import type { Lookups } from '../visibility/lookups.ts'
import { openingFor } from './opening.ts'

export interface AnnouncerSettings {
  readonly lookups: Lookups
  readonly newest: NewestMessages
  readonly online: OnlineMembers
  readonly log: GatewayLog
  /** Ends sessions that could not be notified of an event: they would have missed one. */
  readonly end: (session: Session) => void
  /** Called with the number of sessions that got each dispatch. */
  readonly onDispatched: (sessions: number) => void
}

/** Applies an event to a world and sends its dispatches. Never rejects. */
export type Announce = (world: World, event: KnownEvent) => Promise<void>

/**
 * Makes the one way in which events become dispatches. What the telling needs is looked up first; then the world changes and
 * everybody is told in one go, so that nobody ever sees one without the other.
 */
export function announcer(settings: AnnouncerSettings): Announce {
  const { lookups, newest, onDispatched } = settings
  return async (world, event) => {
    if (!world.concerns(event)) return
    const began_ms = performance.now()
    try {
      const opening = await openingFor(event, world, lookups)
      const tell = await prepared(tellingOf(event), { lookups, newest, world, opening })
      working(`gateway ${event.type}`, () => {
        const scene = sceneOf(settings, world, event, world.apply(event, opening))
        for (const dispatch of tell(scene)) {
          const room = scene.room ?? (dispatch.guildId === null ? undefined : world.room(dispatch.guildId))
          onDispatched(deliver(dispatch, room, event.position))
        }
      })
      const { correlationId } = event.metadata
      trace(began_ms, () => ({ name: `dispatch ${event.type}`, correlationId, attributes: {} }))
    } catch (error) {
      giveUp(settings, world, event, error)
    }
  }
}

function sceneOf({ online, newest }: AnnouncerSettings, world: World, event: KnownEvent, change: Change): Scene {
  return {
    ...change,
    lastMessages: newest,
    staysOf: (session) => world.membershipsOf(session),
    onlineCount: (guild) => online.count(guild),
    now: event.metadata.at,
    sessionsOf: (account) => world.sessionsOf(account).filter(({ since }) => since < event.position),
  }
}

/** Ends every session that the event concerns, since it was not notified. */
function giveUp({ log, end }: AnnouncerSettings, world: World, event: KnownEvent, error: unknown): void {
  log.error({ error, event: event.type, position: event.position.toString() }, 'an event could not be dispatched')
  const guild = guildOf(event)
  const own = accountsOf(event).flatMap((account) => world.sessionsOf(account))
  const inGuild = [...((guild && world.room(guild)?.links) ?? [])].map(({ session }) => session)
  // Nobody knows by now which guilds the account is in.
  const inAny = changesShownAccount(event) ? world.sessionsInGuilds() : []
  for (const session of new Set([...inGuild, ...inAny, ...own])) end(session)
}
