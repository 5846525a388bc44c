import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import type { Membership } from '../../domain/membership/state.ts'
import type { PresenceObject } from '../../application/wire-objects/identity/presence-object.ts'
import type { EventLoop } from '../events/event-loop.ts'
import type { Lookups } from '../visibility/lookups.ts'
import type { GatewayLog } from '../log.ts'
import { dispatchFrame } from '../protocol/frame.ts'
import { isOnShard } from '../protocol/identify.ts'
import type { Ticker } from '../ticker.ts'
import type { ToldPresences } from '../visibility/room.ts'
import type { SeenNow, SeenPresences } from '../visibility/seen-presences.ts'
import type { World } from '../visibility/world.ts'
import { guildPath, type GuildPath, type Strangers } from './guild-path.ts'
import type { Due, Follower, PresenceWatch } from './presence-watch.ts'

export interface PresenceUpdateSettings {
  readonly watch: PresenceWatch
  readonly world: World
  readonly presences: SeenPresences
  readonly lookups: Pick<Lookups, 'accountsOf' | 'membersOfGuilds'>
  readonly loop: Pick<EventLoop, 'run'>
  readonly ticker: Pick<Ticker, 'after'>
  readonly log: GatewayLog
  /** Called with the number of sessions that got each dispatch. */
  readonly onDispatched: (sessions: number) => void
}

/** How many accounts one turn handles, so that other work gets its turn in between. */
const accountsPerTurn_max = 1000

/**
 * Sends presences to followers from now on, once per tick, and only what differs from the last one sent:
 * PRESENCE_UPDATE. Failed lookups are tried again later.
 */
export function tellPresences(settings: PresenceUpdateSettings): void {
  const { watch, ticker, log } = settings
  const turn = async (): Promise<void> => {
    const due = watch.take(accountsPerTurn_max)
    try {
      if (due.size > 0) await tellOfDue(settings, due)
    } catch (error) {
      log.error({ error, accounts: due.size }, 'presences could not be sent yet; they are tried again')
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
  // Between two batches of events, follows and views are as clients were told.
  await loop.run(() => {
    onDispatched(tell(settings, due, seen, strangers))
    watch.told()
    return Promise.resolve()
  })
}

/** The memberships of accounts without sessions here, in the guilds where somebody follows them. */
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

/** The current presence of one account, and who needs it. */
interface News {
  readonly account: AccountId
  readonly presence: PresenceObject
  /** The same as JSON; empty for an offline account. */
  readonly text: string
  readonly isFor: (follower: Follower) => boolean
}

/** Gives the number of sessions notified, counted once per dispatch. */
function tell(settings: PresenceUpdateSettings, due: Due, seen: SeenNow, strangers: Strangers): number {
  const path = guildPath(settings, strangers)
  let count = 0
  for (const [account, followers] of due) {
    const presence = seen(account)
    // An account that came since is due again.
    if (!presence) continue
    const text = settings.watch.textOf(account, presence)
    const isFor = (follower: Follower): boolean => followers === 'everybody' || followers.has(follower)
    const news = { account, presence, text, isFor }
    count += tellAcquaintances(settings, news) + tellGuilds(path, news)
  }
  return count + path.end()
}

/** Presences of friends are in no guild, so they go to the first shard only. */
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

/** Whether the last presence sent differs; notes this one as sent. */
function isNewTo(told: ToldPresences, { account, text }: News): boolean {
  if ((told.get(account) ?? '') === text) return false
  if (text === '') told.delete(account)
  else told.set(account, text)
  return true
}
