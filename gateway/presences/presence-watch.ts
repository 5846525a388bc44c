import { isUnavailable } from '../../domain/guild/state.ts'
import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import type { PresenceObject } from '../../application/wire-objects/identity/presence-object.ts'
import type { PresentSession } from '../../application/ports/presence.ts'
import type { SessionSnapshot } from '../../application/ports/queries/session-snapshot.ts'
import { changesAccount } from '../dispatches/accounts/account-changed.ts'
import { guildOf, type KnownEvent } from '../visibility/known-event.ts'
import type { Session } from '../sessions/session.ts'
import type { Link, Room } from '../visibility/room.ts'
import type { World } from '../visibility/world.ts'
import { Acquaintances } from './acquaintances.ts'
import { MemberSubscriptions } from './member-subscriptions.ts'

/** Who gets a presence: a session, for friends and group recipients, or a session in a guild. */
export type Follower = Session | Link

/** The accounts whose presence may have changed, and who must get it if it has. */
export type Due = ReadonlyMap<AccountId, 'everybody' | ReadonlySet<Follower>>

export interface PresenceWatchSettings {
  readonly world: Pick<World, 'sessionsOf' | 'guildIdsOf' | 'room'>
  /** An account's sessions at other Gateways. */
  readonly elsewhere: (account: AccountId) => readonly PresentSession[]
}

/** A key for one account in one guild. */
function stayOf(guild: GuildId, account: AccountId): string {
  return `${guild} ${account}`
}

/** Replaces what a session was sent when the client may have lost it. */
const unsure = '?'

/** Tracks who follows whom, and collects the presences to send again. It makes no lookups. */
export class PresenceWatch {
  readonly acquaintances = new Acquaintances()
  readonly subscriptions = new MemberSubscriptions()
  /** Links to guilds that became available again: they get bulk dispatches. */
  readonly recovering = new Set<Link>()
  readonly #settings: PresenceWatchSettings
  readonly #bots = new Set<Session>()
  readonly #due = new Map<AccountId, 'everybody' | Set<Follower>>()
  /** One text shared by all who got the same presence of an account. */
  readonly #texts = new Map<AccountId, string>()
  readonly #departed = new Set<string>()

  constructor(settings: PresenceWatchSettings) {
    this.#settings = settings
  }

  /** Sessions of the account came, went or changed, here or elsewhere, or its shown data did. */
  accountChanged(account: AccountId): void {
    if (this.#settings.world.sessionsOf(account).length === 0) this.acquaintances.forget(account)
    if (this.#isFollowed(account)) this.#due.set(account, 'everybody')
    else this.#texts.delete(account)
  }

  /** A follower must get an account's presence if it differs from the last one sent. */
  recheck(account: AccountId, follower: Follower): void {
    const followers = this.#due.get(account)
    if (followers === 'everybody') return
    if (followers) followers.add(follower)
    else this.#due.set(account, new Set([follower]))
  }

  /** The session was sent the whole guild, or gets its dispatches again: the client may have lost the presences of members. */
  retell(link: Link): void {
    for (const account of link.told.keys()) link.told.set(account, unsure)
    for (const account of [...link.told.keys(), ...this.subscriptions.followedBy(link)]) this.recheck(account, link)
  }

  /** Adds a session that began with a snapshot and later events, and was sent presences as of then. */
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

  /** Whether an event to be dispatched is in a guild that is unavailable before it. */
  isOfClosedGuild(event: KnownEvent): boolean {
    const guild = guildOf(event)
    const room = guild && this.#settings.world.room(guild)
    return room !== undefined && isUnavailable(room.guild, false)
  }

  /** Notes an event that was dispatched. */
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

  /** Takes due presences of at most this many accounts. From here on, an account that leaves a guild `hasLeft`. */
  take(accounts_max: number): Due {
    this.told()
    const due = new Map([...this.#due].slice(0, accounts_max))
    for (const account of due.keys()) this.#due.delete(account)
    this.#departed.clear()
    return due
  }

  /** Presences were sent: if nothing else is due, no recovered guild is waiting. */
  told(): void {
    if (this.#due.size === 0) this.recovering.clear()
  }

  /** They could not be sent, and are due again. */
  putBack(due: Due): void {
    for (const [account, followers] of due) {
      if (followers === 'everybody') this.#due.set(account, followers)
      else for (const follower of followers) this.recheck(account, follower)
    }
  }

  hasLeft(guild: GuildId, account: AccountId): boolean {
    return this.#departed.has(stayOf(guild, account))
  }

  /** The guilds with bots here: those of an account with sessions here, or all. */
  guildsWithBots(account?: AccountId): ReadonlySet<Room> {
    const { world } = this.#settings
    const sessions = account === undefined ? this.#livingBots() : world.sessionsOf(account)
    const rooms = new Set(
      sessions.flatMap((session) => world.guildIdsOf(session)).flatMap((id) => world.room(id) ?? []),
    )
    return new Set([...rooms].filter(({ bots }) => bots.size > 0))
  }

  /** A presence as JSON, in one text shared by all who get the same; empty for an offline account. */
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

  /** Everybody in the guild gets presences again, bots those of all members with sessions here. */
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
