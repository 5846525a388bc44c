import type { AccountId, GuildId } from '../../domain/ids/ids.js'
import type { Membership } from '../../domain/membership/state.js'
import type { PresenceObject } from '../../application/wire-objects/identity/presence-object.js'
import type { EventLoop } from '../events/event-loop.js'
import type { Lookups } from '../events/lookups.js'
import type { GatewayLog } from '../log.js'
import { dispatchFrame } from '../protocol/frame.js'
import { isOnShard } from '../protocol/identify.js'
import type { Ticker } from '../ticker.js'
import type { ToldPresences } from '../visibility/room.js'
import type { SeenNow, SeenPresences } from '../visibility/seen-presences.js'
import type { World } from '../visibility/world.js'
import { guildPath, type GuildPath, type Strangers } from './guild-path.js'
import type { Due, Follower, PresenceWatch } from './presence-watch.js'

export interface PresenceUpdateSettings {
  readonly watch: PresenceWatch
  readonly world: World
  readonly presences: SeenPresences
  readonly lookups: Pick<Lookups, 'accountsOf' | 'membersOfGuilds'>
  readonly loop: Pick<EventLoop, 'run'>
  readonly ticker: Pick<Ticker, 'after'>
  readonly log: GatewayLog
  /** Told how many sessions each dispatch went to. */
  readonly onDispatched: (sessions: number) => void
}

/** Of how many accounts one turn tells, so that others get theirs between. */
const accountsPerTurn_max = 1000

/**
 * Tells followers of presences from now on, once a tick, and each only of what is another than it was told last: PRESENCE_UPDATE
 * (reference gateway 2.4 and 3.13). What can't be looked up is told later.
 */
export function tellPresences(settings: PresenceUpdateSettings): void {
  const { watch, ticker, log } = settings
  const turn = async (): Promise<void> => {
    const due = watch.take(accountsPerTurn_max)
    try {
      if (due.size > 0) await tellOfDue(settings, due)
    } catch (error) {
      log.error({ error, accounts: due.size }, 'presences could not be told yet')
      watch.putBack(due)
    }
    ticker.after(0, () => void turn())
  }
  ticker.after(0, () => void turn())
}

async function tellOfDue(settings: PresenceUpdateSettings, due: Due): Promise<void> {
  const { lookups, presences, loop, watch, onDispatched } = settings
  const records = await lookups.accountsOf([...due.keys()])
  const seen = await presences.lookUp([...records.values()])
  const strangers = await strangersIn(settings, due)
  // Between two batches of events: who follows whom, and who sees what, is as clients were told.
  await loop.run(() => {
    onDispatched(tell(settings, due, seen, strangers))
    watch.told()
    return Promise.resolve()
  })
}

/** The memberships of those without sessions here, in the guilds where anybody follows them. */
async function strangersIn({ watch, world, lookups }: PresenceUpdateSettings, due: Due): Promise<Strangers> {
  const absent = [...due.keys()].filter((account) => world.sessionsOf(account).length === 0)
  if (absent.length === 0) return new Map()
  const subscribed = absent.flatMap((account) => [...watch.subscriptions.followersOf(account)].map(({ room }) => room))
  const guilds = new Set([...subscribed, ...watch.guildsWithBots()].map(({ id }) => id))
  const members = await lookups.membersOfGuilds([...guilds], absent)
  const strangers = new Map<AccountId, Map<GuildId, Membership>>()
  for (const member of members) {
    const stays = strangers.get(member.accountId) ?? new Map<GuildId, Membership>()
    strangers.set(member.accountId, stays.set(member.guildId, member))
  }
  return strangers
}

/** One account, as it is seen now, and whoever is to be told of it. */
interface News {
  readonly account: AccountId
  readonly presence: PresenceObject
  /** The same as JSON; empty for who is offline. */
  readonly text: string
  readonly isFor: (follower: Follower) => boolean
}

/** Gives how many sessions were told, counted once a dispatch. */
function tell(settings: PresenceUpdateSettings, due: Due, seen: SeenNow, strangers: Strangers): number {
  const path = guildPath(settings, strangers)
  let count = 0
  for (const [account, followers] of due) {
    const presence = seen(account)
    // Who has come since is due again.
    if (!presence) continue
    const text = settings.watch.textOf(account, presence)
    const isFor = (follower: Follower): boolean => followers === 'everybody' || followers.has(follower)
    const news = { account, presence, text, isFor }
    count += tellAcquaintances(settings, news) + tellGuilds(path, news)
  }
  return count + path.end()
}

/** On the way of friends: it is of no guild, and so for the first shard alone. */
function tellAcquaintances({ watch, world }: PresenceUpdateSettings, news: News): number {
  const { account, presence, isFor } = news
  const followers = [...watch.acquaintances.followersOf(account)].flatMap((follower) => world.sessionsOf(follower))
  const untold = followers.filter(
    (session) => isFor(session) && isOnShard(session.shard, null) && isNewTo(session.toldPresences, news),
  )
  if (untold.length === 0) return 0
  const frame = dispatchFrame('PRESENCE_UPDATE', presence)
  for (const session of untold) session.dispatch('PRESENCE_UPDATE', frame)
  return untold.length
}

function tellGuilds(path: GuildPath, news: News): number {
  const { account, presence, isFor } = news
  const untold = path
    .followersOf(account)
    .filter((link) => isFor(link) && path.mayHear(link, account) && isNewTo(link.told, news))
  for (const link of untold) path.tell(link, presence)
  return untold.length
}

/** Whether somebody was told otherwise, who counts as told from here on. */
function isNewTo(told: ToldPresences, { account, text }: News): boolean {
  if ((told.get(account) ?? '') === text) return false
  if (text === '') told.delete(account)
  else told.set(account, text)
  return true
}
