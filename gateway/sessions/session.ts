import type { AccountId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import {
  customStatusAt,
  statusAt,
  type ChosenSettings,
  type CustomStatus,
} from '../../domain/user-settings/settings.ts'
import type { Viewer } from '../../application/wire-objects/communities/guild-objects.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { PresenceFields, PresentSession } from '../../application/ports/presence.ts'
import type { AccountRecord } from '../../application/ports/queries/account-queries.ts'
import { FixedWindow, type Window } from '../windows.ts'
import type { DispatchName } from '../protocol/dispatch-names.ts'
import { minute_ms, type GatewayLimits } from '../limits.ts'
import { dispatchFrame, type Frame, type LaterFrame } from '../protocol/frame.ts'
import { sessionFlags, type Identify, type Shard } from '../protocol/identify.ts'
import { beginningPresence } from '../protocol/presence-fields.ts'
import { SparseMap } from '../sparse-map.ts'
import { ReplayBuffer } from './replay-buffer.ts'
import type { ReplayMemory } from './replay-memory.ts'

/** A session's view of its transport. */
export interface Wire {
  /** The client's address. */
  readonly address: string
  /** Whether the client still has much to read: whatever can wait should wait. */
  readonly isBehind: boolean
  /** Sends a dispatch with its number. */
  dispatch(frame: Frame | LaterFrame, s: number): void
  /** Tells the client that its session is gone. The socket stays, without a session. */
  invalidate(): void
  /** Asks the client to reconnect on another socket, and ends this one. */
  displace(): void
}

/** The outcome of a Resume. */
export type Resumption = 'resumed' | 'unavailable' | 'invalid_sequence' | 'hole'

export interface SessionOrigin {
  /** 32 hex characters. */
  readonly id: string
  readonly tokenHash: string
  readonly account: AccountRecord
  readonly settings: ChosenSettings
  readonly identify: Identify
  /** The position of READY's snapshot. */
  readonly position: Position
  readonly now: Timestamp
}

const resumed = dispatchFrame('RESUMED', {})

/**
 * One session of one account: what it was sent, under which numbers, and how to send it again. It outlives its transport by a
 * minute; meanwhile it numbers and keeps what it would have sent.
 */
export class Session implements Viewer {
  readonly id: string
  /** The hash of the session token that it began with, or of the one that replaced it. */
  tokenHash: string
  readonly threadAccess: boolean
  /** Whether it gets reactions in private channels together. */
  readonly debouncesReactions: boolean
  readonly shard: Shard | undefined
  /** Events up to here are in its READY. */
  readonly since: Position
  readonly payloads: Window
  account: AccountRecord
  /** The account's chosen settings. */
  settings: ChosenSettings
  presence: PresenceFields
  /** Its own custom status, instead of its account's; undefined if it has none of its own. */
  customStatus: CustomStatus | null | undefined
  /** Whether it has been without a transport for longer than the grace period. */
  isOffline = false
  #isEnded = false
  wire: Wire | undefined
  /** The client's current or last address. */
  address = ''
  /** The last list of the account's sessions sent to the client, as JSON. */
  toldSessions = ''
  /** The last presences of friends and group recipients sent to the client; absent ones are offline. */
  readonly toldPresences = new SparseMap<AccountId, string>()
  readonly #ignoredEvents: ReadonlySet<string>
  readonly #replay: ReplayBuffer
  #current = 0
  #acknowledged = 0

  constructor(
    { id, tokenHash, account, settings, identify, position, now }: SessionOrigin,
    limits: GatewayLimits,
    memory: ReplayMemory,
  ) {
    this.id = id
    this.tokenHash = tokenHash
    this.account = account
    this.settings = settings
    this.threadAccess = account.bot || (identify.flags & sessionFlags.CHANNEL_THREADS) !== 0
    this.debouncesReactions = (identify.flags & sessionFlags.DEBOUNCE_MESSAGE_REACTIONS) !== 0
    this.shard = identify.shard
    this.since = position
    this.payloads = new FixedWindow(limits.payloadsPerMinute.session, minute_ms)
    this.presence = beginningPresence(identify.presence, statusAt(settings, now).status)
    this.customStatus = customStatusAt(settings, now) ? undefined : identify.presence.customStatus
    this.#ignoredEvents = identify.ignoredEvents
    this.#replay = new ReplayBuffer(limits, memory)
  }

  get accountId(): AccountId {
    return this.account.id
  }

  /** The number of the latest dispatch; 0 before READY. */
  get sequence(): number {
    return this.#current
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Ends it for good: it keeps nothing, and is sent nothing. */
  end(): void {
    this.#isEnded = true
    this.wire = undefined
    this.#replay.giveUp()
  }

  /** Whether others see it as online. */
  get isOnline(): boolean {
    return !this.isEnded && !this.isOffline && this.presence.status !== 'invisible'
  }

  /** The session as the account's other sessions see it. */
  get present(): PresentSession {
    const { id, presence, customStatus } = this
    return { id, ...presence, ...(customStatus === undefined ? {} : { customStatus }) }
  }

  /**
   * Sends a dispatch and keeps it for a replay. An event that the client ignores is neither numbered nor kept, unless
   * `evenIgnored` is set.
   */
  dispatch(t: DispatchName, frame: Frame, evenIgnored = false): void {
    if (this.#isEnded || (this.#ignoredEvents.has(t) && !evenIgnored)) return
    this.#current += 1
    this.#replay.keep(this.#current, frame)
    this.wire?.dispatch(frame, this.#current)
  }

  /** Sends a dispatch that is never replayed, such as READY. */
  answer(t: DispatchName, frame: Frame | LaterFrame): void {
    if (t !== 'READY' && this.#ignoredEvents.has(t)) return
    this.#current += 1
    this.wire?.dispatch(frame, this.#current)
  }

  /**
   * Sends a guild that READY left out. A user gets it even if it ignores such events, since READY would have contained it. It
   * can't be sent again: a client that resumes without it must identify again.
   */
  answerWithGuild(frame: LaterFrame): void {
    if (this.account.bot && this.#ignoredEvents.has('GUILD_CREATE')) return
    this.#current += 1
    this.#replay.leaveOut(this.#current)
    this.wire?.dispatch(frame, this.#current)
  }

  /** Notes what the client has received. A number below an earlier one changes nothing. */
  acknowledge(seq: number): void {
    this.#acknowledged = Math.max(this.#acknowledged, seq)
    this.#replay.acknowledge(seq)
  }

  /** Whether a client that has everything up to `seq` can be sent exactly what it missed. */
  canResumeAt(seq: number): Resumption {
    if (seq < 0) return 'unavailable'
    if (seq > this.#current || seq < this.#acknowledged) return 'invalid_sequence'
    return seq < this.#replay.floor ? 'hole' : 'resumed'
  }

  /** Sends what the client missed after `seq`, in order, then RESUMED, which takes no number of its own. */
  replayAfter(seq: number): void {
    this.acknowledge(seq)
    this.#replay.replay((frame, s) => this.wire?.dispatch(frame, s))
    this.wire?.dispatch(resumed, this.#current)
  }
}
