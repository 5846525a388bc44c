import { isUnavailable } from '../../domain/guild/state.js'
import type { AccountId, GuildId } from '../../domain/ids/ids.js'
import type { PresenceObject } from '../../application/wire-objects/identity/presence-object.js'
import type { PresentSession } from '../../application/ports/presence.js'
import type { SessionSnapshot } from '../../application/ports/queries/session-snapshot.js'
import { changesAccount } from '../dispatches/accounts/account-changed.js'
import { guildOf, type KnownEvent } from '../events/known-event.js'
import type { Session } from '../sessions/session.js'
import type { Link, Room } from '../visibility/room.js'
import type { World } from '../visibility/world.js'
import { Acquaintances } from './acquaintances.js'
import { MemberSubscriptions } from './member-subscriptions.js'

/** Who is to be told: a session, as a friend's or a co-recipient's, or a session in a guild. */
export type Follower = Session | Link

/** Whose presence may be another one, and who is to be told so where it is. */
export type Due = ReadonlyMap<AccountId, 'everybody' | ReadonlySet<Follower>>

export interface PresenceWatchSettings {
  readonly world: Pick<World, 'sessionsOf' | 'guildIdsOf' | 'room'>
  /** An account's sessions at other Gateways. */
  readonly elsewhere: (account: AccountId) => readonly PresentSession[]
}

/** Names one account in one guild. */
function stayOf(guild: GuildId, account: AccountId): string {
  return `${guild} ${account}`
}

/** In place of what a session was told of somebody, where that may be lost to it. */
const unsure = '?'

/** Follows who follows whom, and gathers whose presence is to be told again (reference gateway 3.13). It looks nothing up. */
export class PresenceWatch {
  readonly acquaintances = new Acquaintances()
  readonly subscriptions = new MemberSubscriptions()
  /** Links to guilds that are back: they are told in bulk. */
  readonly recovering = new Set<Link>()
  readonly #settings: PresenceWatchSettings
  readonly #bots = new Set<Session>()
  readonly #due = new Map<AccountId, 'everybody' | Set<Follower>>()
  /** One text for all that are told of an account alike. */
  readonly #texts = new Map<AccountId, string>()
  readonly #departed = new Set<string>()

  constructor(settings: PresenceWatchSettings) {
    this.#settings = settings
  }

  /** Sessions of the account came, went or changed, here or elsewhere, or what is shown of it did. */
  accountChanged(account: AccountId): void {
    if (this.#settings.world.sessionsOf(account).length === 0) this.acquaintances.forget(account)
    if (this.#isFollowed(account)) this.#due.set(account, 'everybody')
    else this.#texts.delete(account)
  }

  /** A follower is to be told of an account where it was told otherwise. */
  recheck(account: AccountId, follower: Follower): void {
    const followers = this.#due.get(account)
    if (followers === 'everybody') return
    if (followers) followers.add(follower)
    else this.#due.set(account, new Set([follower]))
  }

  /** The session was sent the whole guild, or hears of it again: what it was told of its members may be lost to it. */
  retell(link: Link): void {
    for (const account of link.told.keys()) link.told.set(account, unsure)
    for (const account of [...link.told.keys(), ...this.subscriptions.followedBy(link)]) this.recheck(account, link)
  }

  /** Takes in a session that has begun with a snapshot and what happened since, and was told of presences as of then. */
  admitted(session: Session, snapshot: SessionSnapshot, missed: readonly KnownEvent[]): void {
    const { world, elsewhere } = this.#settings
    this.acquaintances.admit(snapshot, missed)
    if (session.account.bot) this.#bots.add(session)
    for (const account of this.acquaintances.followedBy(session.accountId)) {
      const isHere = world.sessionsOf(account).length > 0 || elsewhere(account).length > 0
      const wasTold = session.toldPresences.has(account)
      if (missed.length > 0 ? isHere || wasTold : isHere && !wasTold) this.recheck(account, session)
    }
  }

  /** Whether an event that is about to be told is of a guild that is unavailable before it. */
  isOfClosedGuild(event: KnownEvent): boolean {
    const guild = guildOf(event)
    const room = guild && this.#settings.world.room(guild)
    return room !== undefined && isUnavailable(room.guild, false)
  }

  /** Takes in an event that was told. */
  note(event: KnownEvent, wasClosed: boolean): void {
    for (const [follower, followed] of this.acquaintances.apply(event)) {
      for (const session of this.#settings.world.sessionsOf(follower)) this.recheck(followed, session)
    }
    if (changesAccount(event) || event.type === 'UserSettingsChanged') this.accountChanged(event.data.accountId)
    switch (event.type) {
      case 'MemberJoined':
        for (const link of this.#followersIn(event.data)) this.recheck(event.data.accountId, link)
        return
      case 'MemberLeft':
      case 'MemberKicked':
      case 'MemberBanned':
        this.#departed.add(stayOf(event.data.guildId, event.data.accountId))
        for (const link of this.#followersIn(event.data)) link.told.delete(event.data.accountId)
        return
      case 'GuildFeaturesChanged':
        if (wasClosed && !this.isOfClosedGuild(event)) this.#recover(this.#settings.world.room(event.data.guildId))
        return
      default:
    }
  }

  /** What is due, of at most so many accounts. Whoever leaves a guild from here on `hasLeft`. */
  take(accounts_max: number): Due {
    this.told()
    const due = new Map([...this.#due].slice(0, accounts_max))
    for (const account of due.keys()) this.#due.delete(account)
    this.#departed.clear()
    return due
  }

  /** Something was told: where nothing more is due, nobody waits for a guild that is back. */
  told(): void {
    if (this.#due.size === 0) this.recovering.clear()
  }

  /** It could not be told: it is due again. */
  putBack(due: Due): void {
    for (const [account, followers] of due) {
      if (followers === 'everybody') this.#due.set(account, followers)
      else for (const follower of followers) this.recheck(account, follower)
    }
  }

  hasLeft(guild: GuildId, account: AccountId): boolean {
    return this.#departed.has(stayOf(guild, account))
  }

  /** The guilds that have bots here: of those that an account with sessions here is in, or all. */
  guildsWithBots(account?: AccountId): ReadonlySet<Room> {
    const { world } = this.#settings
    const sessions = account === undefined ? this.#livingBots() : world.sessionsOf(account)
    const rooms = new Set(
      sessions.flatMap((session) => world.guildIdsOf(session)).flatMap((id) => world.room(id) ?? []),
    )
    return new Set([...rooms].filter(({ bots }) => bots.size > 0))
  }

  /** A presence as JSON, one text for all who are told the same; empty for who is offline. */
  textOf(account: AccountId, presence: PresenceObject): string {
    if (presence.status === 'offline') {
      this.#texts.delete(account)
      return ''
    }
    const text = JSON.stringify(presence)
    const known = this.#texts.get(account)
    if (known === text) return known
    this.#texts.set(account, text)
    return text
  }

  #isFollowed(account: AccountId): boolean {
    if (this.acquaintances.followersOf(account).size > 0 || this.subscriptions.followersOf(account).size > 0)
      return true
    if (this.#bots.size === 0) return false
    const isHere = this.#settings.world.sessionsOf(account).length > 0
    return isHere ? this.guildsWithBots(account).size > 0 : this.#livingBots().length > 0
  }

  #livingBots(): readonly Session[] {
    for (const session of this.#bots) if (session.isEnded) this.#bots.delete(session)
    return [...this.#bots]
  }

  #followersIn({ guildId, accountId }: { readonly guildId: GuildId; readonly accountId: AccountId }): readonly Link[] {
    const subscribed = [...this.subscriptions.followersOf(accountId)].filter(({ room }) => room.id === guildId)
    return [...subscribed, ...(this.#settings.world.room(guildId)?.bots ?? [])]
  }

  /** Everybody in the guild is told anew, bots of all who have sessions here. */
  #recover(room: Room | undefined): void {
    for (const link of room?.links ?? []) {
      this.recovering.add(link)
      this.retell(link)
    }
    for (const bot of room?.bots ?? []) {
      for (const { member } of room?.links ?? []) this.recheck(member.accountId, bot)
    }
  }
}
