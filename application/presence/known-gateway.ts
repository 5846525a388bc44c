import type { AccountId, GuildId } from '../../domain/ids/ids.js'
import type { SealedSayings } from './sealed-sayings.js'
import { accountsPerGateway_max, guildsPerGateway_max, silence_ms_max, unanswered_ms } from './presence-bounds.js'
import type {
  AccountFact,
  AccountStanding,
  GatewayMessage,
  PresenceChange,
  PresenceSnapshot,
} from './presence-messages.js'

/** Who is there, as a Gateway said. */
interface Told {
  readonly accounts: Map<AccountId, AccountFact>
  readonly counts: Map<GuildId, number>
}

/** What is told of an account besides its sessions, once for all. */
const withoutSessions: Readonly<Record<AccountStanding, AccountFact>> = {
  counted: { standing: 'counted', sessions: [] },
  present: { standing: 'present', sessions: [] },
}

const nothingTold = (): Told => ({ accounts: new Map(), counts: new Map() })

/** What is known of one Gateway from what it says. What it said and was not heard shows by the numbers, and is asked for. */
export class KnownGateway {
  #told = nothingTold()
  /** The snapshot that is arriving. */
  #arriving: Told | undefined
  /** The number of the last message with facts; a Gateway that says nothing before it numbers from 1. */
  #seq = 0
  #hasGap = false
  #heardAt_ms: number
  /** When a snapshot was asked for last, or a part of one came. */
  #expectingSince_ms: number
  #dropped_facts = 0
  readonly #sayings: Pick<SealedSayings, 'open'> | undefined

  /** `askedAt_ms`: when all Gateways were asked last. Without `sayings`, sessions are not kept. */
  constructor(now_ms: number, askedAt_ms: number, sayings: Pick<SealedSayings, 'open'> | undefined) {
    this.#sayings = sayings
    this.#heardAt_ms = now_ms
    this.#expectingSince_ms = askedAt_ms
  }

  /** Whether nothing that it said was missed. */
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

  /** Takes in a message of this Gateway. Gives the accounts of which it changed something. */
  take(message: Exclude<GatewayMessage, { readonly type: 'goodbye' }>, now_ms: number): Iterable<AccountId> {
    this.#heardAt_ms = now_ms
    const expected = message.type === 'heartbeat' ? this.#seq : this.#seq + 1
    // What is late was missed already, and older than what is known.
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

  /** Whether a snapshot is missing that nobody asked for lately, and that is not just arriving. */
  wantsSnapshot(now_ms: number): boolean {
    return this.#hasGap && now_ms - this.#expectingSince_ms >= unanswered_ms
  }

  /** Somebody, here or elsewhere, asked for a snapshot that all will hear. */
  asked(now_ms: number): void {
    this.#expectingSince_ms = now_ms
  }

  #miss(): void {
    this.#hasGap = true
    this.#arriving = undefined
  }

  #change(change: PresenceChange): readonly AccountId[] {
    for (const told of this.#tellings()) {
      for (const account of change.gone) told.accounts.delete(account)
      this.#note(told, change)
    }
    return [...change.gone, ...change.counted, ...change.present]
  }

  #takeSnapshot(part: PresenceSnapshot, now_ms: number): readonly AccountId[] {
    if (part.isFirst) this.#arriving = nothingTold()
    if (this.#arriving) this.#expectingSince_ms = now_ms
    for (const told of this.#tellings()) this.#note(told, part)
    const changed = [...part.counted, ...part.present]
    const arrived = this.#arriving
    if (!part.isLast || !arrived) return changed
    const over = [...this.#told.accounts.keys()].filter((account) => !arrived.accounts.has(account))
    this.#told = arrived
    this.#arriving = undefined
    this.#hasGap = false
    return [...changed, ...over]
  }

  /** A snapshot takes long where there is much in it: meanwhile, what was told holds, with all that is heard since. */
  #tellings(): readonly Told[] {
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
