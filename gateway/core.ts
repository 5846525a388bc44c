import type { AccountId } from '../domain/ids/ids.ts'
import type { PresentSession } from '../application/ports/presence.ts'
import { RecentEvents } from './events/recent-events.ts'
import type { GatewaySettings } from './settings.ts'
import { gatewayLimits, withoutRateLimits } from './limits.ts'
import { PresenceWatch } from './presences/presence-watch.ts'
import { sessionLists } from './sessions/session-lists.ts'
import { ReplayMemory } from './sessions/replay-memory.ts'
import { Sessions } from './sessions/sessions.ts'
import { Ticker } from './ticker.ts'
import { Lookups } from './visibility/lookups.ts'
import { NewestMessages } from './visibility/newest-messages.ts'
import { noSources } from './visibility/no-sources.ts'
import { OnlineMembers } from './visibility/online-members.ts'
import { localPresenceOf } from './visibility/presence.ts'
import { seenPresences } from './visibility/seen-presences.ts'
import { World } from './visibility/world.ts'

/** The parts that nearly everything in the Gateway needs. */
export function coreOf(
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
  const watchers: ((account: AccountId) => void)[] = []
  const changed = (account: AccountId): void => {
    lists.accountChanged(account)
    watch.accountChanged(account)
    for (const tell of watchers) tell(account)
  }
  /** Calls back for accounts whose sessions came, went or changed, here or elsewhere. */
  const onAccount = (tell: (account: AccountId) => void): void => {
    watchers.push(tell)
  }
  presenceExchange?.join(localPresenceOf(world, online), changed)
  const effective = rateLimits ? chosen : withoutRateLimits(chosen)
  const recent = new RecentEvents(effective.recentEvents_max)
  const sessions = new Sessions(world, ticker)
  const replays = new ReplayMemory(effective)
  return {
    limits: effective,
    log,
    ticker,
    online,
    world,
    lists,
    watch,
    recent,
    sessions,
    replays,
    elsewhere,
    onAccount,
  }
}

/** The lookups for dispatches, and their caches. */
export function lookingUp(settings: GatewaySettings, core: ReturnType<typeof coreOf>) {
  const { limits, ticker } = core
  const { queries, snapshots, threads, lastMessages, readStates, notes } = { ...noSources, ...settings }
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
