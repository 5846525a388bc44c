import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import type { SealedSayings } from './sealed-sayings.ts'
import { accountsPerGateway_max, guildsPerGateway_max, silence_ms_max, unanswered_ms } from './presence-bounds.ts'
import type {
  AccountFact,
  AccountPresence,
  GatewayMessage,
  PresenceChange,
  PresenceSnapshot,
} from './presence-messages.ts'

/** The presence that a Gateway reported. */
interface Told {
  readonly accounts: Map<AccountId, AccountFact>
  readonly counts: Map<GuildId, number>
}

/** Shared facts for accounts without listed sessions. */
const withoutSessions: Readonly<Record<AccountPresence, AccountFact>> = {
  counted: { standing: 'counted', sessions: [] },
  present: { standing: 'present', sessions: [] },
}

const nothingTold = (): Told => ({ accounts: new Map(), counts: new Map() })

/** What is known of one Gateway from its messages. Lost messages show as gaps in their numbers, and a snapshot is requested. */
export class KnownGateway {
  #told = nothingTold()
  /** The snapshot that is being received. */
  #arriving: Told | undefined
  /** The number of the last message with facts. A Gateway numbers its messages from 1. */
  #seq = 0
  #hasGap = false
  #heardAt_ms: number
  /** The time of the last request for a snapshot, or of its latest part. */
  #expectingSince_ms: number
  #dropped_facts = 0
  readonly #sayings: Pick<SealedSayings, 'open'> | undefined

  /** `askedAt_ms`: the time of the last request to all Gateways. Without `sayings`, sessions are not kept. */
  constructor(now_ms: number, askedAt_ms: number, sayings: Pick<SealedSayings, 'open'> | undefined) {
    this.#sayings = sayings
    this.#heardAt_ms = now_ms
    this.#expectingSince_ms = askedAt_ms
  }

  /** Whether no message of it was missed. */
  get isComplete(): boolean {
    return !this.#hasGap
  }

  /** Facts that were not taken in, for want of space. */
  get dropped_facts(): number {
    return this.#dropped_facts
  }

  get accounts(): ReadonlyMap<AccountId, AccountFact> {
    return this.#told.accounts
  }

  get counts(): ReadonlyMap<GuildId, number> {
    return this.#told.counts
  }

  /** Handles a message of this Gateway. Gives the accounts whose facts changed. */
  take(message: Exclude<GatewayMessage, { readonly type: 'goodbye' }>, now_ms: number): Iterable<AccountId> {
    this.#heardAt_ms = now_ms
    const expected = message.type === 'heartbeat' ? this.#seq : this.#seq + 1
    // A late message already counted as missed, and is older than what is known.
    if (message.seq < expected) return []
    if (message.seq > expected) this.#miss()
    this.#seq = message.seq
    switch (message.type) {
      case 'heartbeat':
        return []
      case 'change':
        return this.#change(message)
      case 'snapshot':
        return this.#takeSnapshot(message, now_ms)
    }
  }

  isSilent(now_ms: number): boolean {
    return now_ms - this.#heardAt_ms >= silence_ms_max
  }

  /** Whether a snapshot is missing, was not requested lately, and is not arriving now. */
  wantsSnapshot(now_ms: number): boolean {
    return this.#hasGap && now_ms - this.#expectingSince_ms >= unanswered_ms
  }

  /** Somebody, here or elsewhere, requested a snapshot, which goes to everybody. */
  asked(now_ms: number): void {
    this.#expectingSince_ms = now_ms
  }

  #miss(): void {
    this.#hasGap = true
    this.#arriving = undefined
  }

  #change(change: PresenceChange): readonly AccountId[] {
    for (const told of this.#factSets()) {
      for (const account of change.gone) told.accounts.delete(account)
      this.#note(told, change)
    }
    return [...change.gone, ...change.counted, ...change.present]
  }

  #takeSnapshot(part: PresenceSnapshot, now_ms: number): readonly AccountId[] {
    if (part.isFirst) this.#arriving = nothingTold()
    if (this.#arriving) this.#expectingSince_ms = now_ms
    for (const told of this.#factSets()) this.#note(told, part)
    const changed = [...part.counted, ...part.present]
    const arrived = this.#arriving
    if (!part.isLast || !arrived) return changed
    const over = [...this.#told.accounts.keys()].filter((account) => !arrived.accounts.has(account))
    this.#told = arrived
    this.#arriving = undefined
    this.#hasGap = false
    return [...changed, ...over]
  }

  /** A large snapshot takes long to arrive. Until it is complete, the earlier facts stay valid, with all later changes. */
  #factSets(): readonly Told[] {
    return this.#arriving ? [this.#told, this.#arriving] : [this.#told]
  }

  #note(
    { accounts, counts }: Told,
    facts: Pick<PresenceSnapshot, 'counted' | 'present' | 'sessions' | 'sayings' | 'counts'>,
  ): void {
    const sessionsOf = this.#sessionsIn(facts)
    for (const standing of ['counted', 'present'] as const) {
      for (const account of facts[standing]) {
        const sessions = sessionsOf.get(account)
        const fact = sessions ? { standing, sessions } : withoutSessions[standing]
        this.#set(accounts, account, fact, accountsPerGateway_max)
      }
    }
    for (const [guild, count] of facts.counts) {
      if (count === 0) counts.delete(guild)
      else this.#set(counts, guild, count, guildsPerGateway_max)
    }
  }

  #sessionsIn({ sessions, sayings }: Pick<PresenceSnapshot, 'sessions' | 'sayings'>) {
    const sessionsOf = new Map(this.#sayings ? sessions : [])
    for (const [account, id, sealed] of sayings) {
      const customStatus = this.#sayings?.open(account, id, sealed)
      const told = sessionsOf.get(account)
      if (customStatus === undefined || !told) continue
      sessionsOf.set(
        account,
        told.map((session) => (session.id === id ? { ...session, customStatus } : session)),
      )
    }
    return sessionsOf
  }

  #set<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, entries_max: number): void {
    if (map.size < entries_max || map.has(key)) map.set(key, value)
    else this.#dropped_facts += 1
  }
}
