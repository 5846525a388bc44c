import { isClosedAt } from '../../domain/account/decisions/decide-admission.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import { working } from '../../application/observation/at-work.ts'
import type { BotTokens } from '../../application/ports/credentials.ts'
import type { SessionTokens } from '../../application/ports/session-tokens.ts'
import type { StartedSessions } from '../../application/ports/started-sessions.ts'
import type { AccountRecord } from '../../application/ports/queries/account-queries.ts'
import type { SessionSnapshot, SessionSnapshots } from '../../application/ports/queries/session-snapshot.ts'
import type { ReadStateObject } from '../../application/wire-objects/conversations/read-state-objects.ts'
import type { PresenceObject } from '../../application/wire-objects/identity/presence-object.ts'
import type { ActiveThread } from '../../application/ports/thread-lookups.ts'
import type { Connection } from '../connections/connection.ts'
import type { Announce } from '../events/announcer.ts'
import { asToldOf } from '../events/bots-of-owner.ts'
import type { EventLoop } from '../events/event-loop.ts'
import type { RecentEvents } from '../events/recent-events.ts'
import type { GatewayLimits } from '../limits.ts'
import { followedIn } from '../presences/acquaintances.ts'
import type { PresenceWatch } from '../presences/presence-watch.ts'
import type { Lookups } from '../visibility/lookups.ts'
import type { GatewayLog } from '../log.ts'
import { channelsIn, type NewestMessages } from '../visibility/newest-messages.ts'
import { closings, type Closing } from '../protocol/closings.ts'
import type { Frame, LaterFrame } from '../protocol/frame.ts'
import { isOnShard, type Identify } from '../protocol/identify.ts'
import type { OnlineMembers } from '../visibility/online-members.ts'
import type { SeenNow, SeenPresences } from '../visibility/seen-presences.ts'
import { World } from '../visibility/world.ts'
import { AccountTurns } from '../sessions/account-turns.ts'
import { othersIn } from '../sessions/others-in.ts'
import { sendReady } from './ready.ts'
import { shownReadStates } from './shown-read-states.ts'
import { tokenHashOf } from './token-hash.ts'
import type { SessionLists } from '../sessions/session-lists.ts'
import type { ReplayMemory } from '../sessions/replay-memory.ts'
import { Session } from '../sessions/session.ts'
import type { Sessions } from '../sessions/sessions.ts'

export interface SessionStartSettings {
  readonly limits: GatewayLimits
  readonly replays: ReplayMemory
  readonly log: GatewayLog
  readonly loop: EventLoop
  readonly recent: RecentEvents
  readonly world: World
  readonly online: OnlineMembers
  readonly sessions: Sessions
  readonly lists: SessionLists
  readonly announce: Announce
  readonly sessionTokens: SessionTokens
  readonly botTokens: BotTokens
  readonly snapshots: SessionSnapshots
  readonly startedSessions: Pick<StartedSessions, 'note'>
  /** The records of accounts; for one that is gone, that of a deleted account. */
  readonly accountsOf: (ids: readonly AccountId[]) => Promise<ReadonlyMap<AccountId, AccountRecord>>
  readonly lookups: Pick<Lookups, 'ask' | 'heardBy' | 'privateChannelsOf'>
  readonly newest: NewestMessages
  readonly presences: SeenPresences
  readonly watch: PresenceWatch
  /** The active threads shown to an account. */
  readonly threadsFor: (account: AccountRecord) => Promise<readonly ActiveThread[]>
  readonly randomBytes: (count: number) => Uint8Array
  readonly now: () => Timestamp
  readonly gatewayUrl: (() => string) | undefined
}

/** One Identify in progress. It counts as long as its connection still refers to it. */
interface Start {
  readonly connection: Connection
  readonly identify: Identify
  readonly tokenHash: string
  /** Known once its token is resolved. */
  account: AccountId | undefined
  usesBotToken: boolean
  isRevoked: boolean
  /** The accounts whose bots have lost their tokens since it began: whose bot it is may not be known yet. */
  readonly endedOwners: Set<AccountId>
}

/** A session's snapshot, with the other accounts in it and the threads shown. */
type Started = SessionSnapshot & {
  readonly others: readonly AccountRecord[]
  readonly threads: readonly ActiveThread[]
  /** The presences of the followed ones among them. */
  readonly seen: SeenNow
  readonly readStates: readonly ReadStateObject[]
  readonly notes: ReadonlyMap<AccountId, string>
}

/**
 * `stale`: the snapshot does not fit what was dispatched meanwhile, and must be taken again. `over`: nobody is waiting for it any
 * more.
 */
type Outcome = 'started' | 'stale' | 'over' | Closing

const snapshots_max = 5
const sessionId_bytes = 16

/** Starts sessions: finds the account of a token, takes a snapshot, and admits the session to the world if the snapshot fits. */
export class SessionStarts {
  readonly #settings: SessionStartSettings
  readonly #atWork = new Set<Start>()
  readonly #turns = new AccountTurns()
  #waiting: Start[] = []

  constructor(settings: SessionStartSettings) {
    this.#settings = settings
  }

  /** Starts a session for a connection, once fewer starts are in progress. The connection is told the outcome in every case. */
  begin(connection: Connection, identify: Identify): void {
    const tokenHash = tokenHashOf(identify.token)
    const unresolved = { account: undefined, usesBotToken: false, isRevoked: false }
    const start = { connection, identify, tokenHash, ...unresolved, endedOwners: new Set<AccountId>() }
    connection.start = start
    this.#waiting.push(start)
    this.#workOn()
  }

  /** A token was revoked: no session can start with it any more. */
  revoke(tokenHash: string): void {
    for (const start of this.#atWork) if (start.tokenHash === tokenHash) start.isRevoked = true
  }

  /** An account is no longer a bot: no session can start with its bot token. */
  revokeBot(account: AccountId): void {
    for (const start of this.#atWork) if (start.account === account && start.usesBotToken) start.isRevoked = true
  }

  /** The bots of an account have lost their tokens: no session can start with these. */
  revokeBotsOf(owner: AccountId): void {
    for (const start of this.#atWork) start.endedOwners.add(owner)
  }

  /** An account was closed: no session of it can start any more. A snapshot taken later shows that it is closed. */
  revokeAll(account: AccountId): void {
    for (const start of this.#atWork) if (start.account === account) start.isRevoked = true
  }

  #workOn(): void {
    while (this.#waiting.length > 0 && this.#atWork.size < this.#settings.limits.sessionStarts_max) {
      const start = this.#waiting.shift()
      if (start && isWanted(start)) void this.#run(start)
    }
  }

  async #run(start: Start): Promise<void> {
    this.#atWork.add(start)
    const outcome = await this.#outcome(start)
    this.#atWork.delete(start)
    if (typeof outcome === 'object' && isWanted(start)) start.connection.close(outcome)
    this.#workOn()
  }

  async #outcome(start: Start): Promise<Outcome> {
    try {
      return await this.#start(start)
    } catch (error) {
      this.#settings.log.error({ error }, 'a session could not start')
      return closings.startFailed
    }
  }

  async #start(start: Start): Promise<Outcome> {
    const { botTokens, sessionTokens, startedSessions } = this.#settings
    const { token } = start.identify
    const person = await sessionTokens.resolve(token)
    const found = person ?? (await botTokens.resolve(token))
    if (!found) return closings.invalidToken
    start.account = found.account.id
    start.usesBotToken = !person
    // Before READY: an account with READY may send messages.
    await startedSessions.note(found.account.id)
    // A snapshot holds all guilds of the account, so each account has only one in memory.
    return this.#turns.run(found.account.id, () => this.#startFrom(start, found.account.id))
  }

  async #startFrom(start: Start, account: AccountId): Promise<Outcome> {
    const { threadsFor, loop, snapshots } = this.#settings
    for (let taken = 0; taken < snapshots_max; taken += 1) {
      if (!isWanted(start)) return 'over'
      const snapshot = await snapshots.take(account)
      if (!snapshot) return closings.invalidToken
      const others = await this.#othersOf(snapshot)
      const threads = await threadsFor(snapshot.account)
      const outcome = await loop.run(() => this.#install(start, { ...snapshot, ...others, threads }))
      if (outcome !== 'stale') return outcome
    }
    return closings.startFailed
  }

  /** The other accounts in READY, and their data there. */
  async #othersOf(snapshot: SessionSnapshot): Promise<Pick<Started, 'others' | 'seen' | 'readStates' | 'notes'>> {
    const { accountsOf, lookups, newest, now, presences } = this.#settings
    const others = [...(await accountsOf(othersIn(snapshot))).values()]
    await newest.learn(channelsIn(snapshot))
    const followed = followedIn(snapshot)
    const readStates = await shownReadStates(lookups, snapshot, now())
    const notes = await lookups.ask((sources) => sources.notes.of(snapshot.account.id))
    return { others, readStates, notes, seen: await presences.lookUp(others.filter(({ id }) => followed.has(id))) }
  }

  /** Runs between two batches of events, so that nothing is dispatched while the session catches up. */
  async #install(start: Start, snapshot: Started): Promise<Outcome> {
    const { recent, world, online, announce, watch } = this.#settings
    const refusal = this.#refusal(start, snapshot)
    if (refusal) return refusal
    const { handled } = recent
    const missed = recent.after(snapshot.position)
    if (!missed || world.isAheadOf(snapshot, handled)) return 'stale'
    const { session, held } = this.#open(start, snapshot)
    const own = new World(online)
    own.admit(session, snapshot)
    for (const active of snapshot.threads)
      own.link(session, active.thread.guildId)?.threads.set(active.thread.threadId, active)
    working('gateway READY', () => this.#sendReady(start, session, own, snapshot))
    for (const event of missed.flatMap((each) => asToldOf(own, each))) await announce(own, event)
    const refusalNow = session.isEnded ? closings.startFailed : this.#refusal(start, snapshot)
    if (refusalNow || recent.handled !== handled) {
      own.remove(session)
      session.end()
      return refusalNow ?? 'stale'
    }
    world.absorb(own)
    this.#attach(start.connection, session, held)
    watch.admitted(session, snapshot, missed)
    return 'started'
  }

  #refusal(start: Start, { account, guilds }: SessionSnapshot): Outcome | undefined {
    const { limits, lists, now } = this.#settings
    if (!isWanted(start)) return 'over'
    const isNoBotAnyMore = start.usesBotToken && !account.bot
    const { botOwnerId } = account
    const hasLostToken = start.usesBotToken && botOwnerId !== null && start.endedOwners.has(botOwnerId)
    if (start.isRevoked || isNoBotAnyMore || hasLostToken || isClosedAt(account, now())) return closings.invalidToken
    if (!account.bot) {
      return lists.countOf(account.id) >= limits.sessionsPerAccount_max ? closings.tooManySessions : undefined
    }
    const onShard = guilds.filter(({ guild }) => isOnShard(start.identify.shard, guild.id))
    return onShard.length > limits.guildsPerBotShard_max ? closings.shardingRequired : undefined
  }

  /** A session whose dispatches are held back until it has its transport. */
  #open({ identify, tokenHash }: Start, { account, settings, position }: SessionSnapshot) {
    const id = Buffer.from(this.#settings.randomBytes(sessionId_bytes)).toString('hex')
    const { limits, now, replays } = this.#settings
    const session = new Session({ id, tokenHash, account, settings, identify, position, now: now() }, limits, replays)
    const held: (readonly [Frame | LaterFrame, number])[] = []
    const nothing = (): void => undefined
    session.wire = {
      address: '',
      isBehind: false,
      dispatch: (frame, s) => held.push([frame, s]),
      invalidate: nothing,
      displace: nothing,
    }
    return { session, held }
  }

  #sendReady({ identify }: Start, session: Session, own: World, snapshot: Started): void {
    const { lists, newest: lastMessages, online, now, limits } = this.#settings
    const { readyGuilds_bytes_max } = limits
    const links = own.guildIdsOf(session).flatMap((guild) => own.link(session, guild) ?? [])
    const sessions = lists.beginningOf(session)
    const onlineCount = (guild: GuildId): number => online.count(guild)
    const presences = this.#presencesFor(session, snapshot)
    const parts = { session, identify, links, sessions, presences, onlineCount, lastMessages, readyGuilds_bytes_max }
    sendReady({ ...snapshot, ...parts, now: now(), gatewayUrl: this.#settings.gatewayUrl?.() })
    const initial = links.find(({ room }) => room.id === identify.initialGuildId)
    if (!initial) return
    initial.active = true
    initial.syncedAt = session.sequence
  }

  /** The presences in READY, which count as sent from here on. */
  #presencesFor(session: Session, { others, seen }: Started): readonly PresenceObject[] {
    return others.flatMap(({ id }) => {
      const presence = seen(id)
      if (!presence || presence.status === 'offline') return []
      session.toldPresences.set(id, this.#settings.watch.textOf(id, presence))
      return [presence]
    })
  }

  #attach(connection: Connection, session: Session, held: readonly (readonly [Frame | LaterFrame, number])[]): void {
    const { sessions } = this.#settings
    session.wire = undefined
    connection.start = undefined
    connection.session = session
    sessions.add(session)
    sessions.attach(session, connection)
    for (const [frame, s] of held) connection.dispatch(frame, s)
  }
}

function isWanted(start: Start): boolean {
  return start.connection.start === start
}
