import { isDeepStrictEqual } from 'node:util'
import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import { sayingSession } from '../wire-objects/identity/presence-object.ts'
import type { PresentSession } from '../ports/presence.ts'
import type { SignalPayload } from '../ports/signals.ts'
import {
  askers_ms,
  betweenSnapshots_ms,
  factsPerSignal_max,
  heartbeat_ms,
  sessionsPerAccount_max,
  signalsPerTick_max,
} from './presence-bounds.ts'
import type { SealedSayings } from './sealed-sayings.ts'
import { factsOf, factsOnTheWire, type AccountFact, type PresenceFacts } from './presence-messages.ts'

export interface PresenceAnnouncerSettings {
  readonly gatewayId: string
  readonly publish: (payload: SignalPayload) => void
  readonly sayings: Pick<SealedSayings, 'seal'>
  /** The current facts. */
  readonly factOf: (account: AccountId) => AccountFact | undefined
  readonly countOf: (guild: GuildId) => number
}

/** A snapshot in progress: the part that is still to be sent. Facts added since are sent as changes. */
interface Round {
  readonly accounts: AccountId[]
  readonly guilds: GuildId[]
  isFirst: boolean
}

/**
 * Reports one Gateway's presence: changes, once per tick and only if they differ from the last report; heartbeats; and snapshots
 * on request. Requests at about the same time get one snapshot together.
 */
export class PresenceAnnouncer {
  readonly #settings: PresenceAnnouncerSettings
  /** As last reported: the accounts and guilds of this Gateway, and no others. */
  readonly #accounts = new Map<AccountId, AccountFact>()
  readonly #counts = new Map<GuildId, number>()
  readonly #changedAccounts = new Set<AccountId>()
  readonly #changedGuilds = new Set<GuildId>()
  #round: Round | undefined
  #roundEndedAt_ms = Number.NEGATIVE_INFINITY
  #isAsked = false
  #askedAt_ms: number | undefined
  #saidAt_ms = Number.NEGATIVE_INFINITY
  #hasToSay = true
  #seq = 0

  constructor(settings: PresenceAnnouncerSettings) {
    this.#settings = settings
  }

  accountChanged(account: AccountId): void {
    this.#changedAccounts.add(account)
  }

  guildChanged(guild: GuildId): void {
    this.#changedGuilds.add(guild)
  }

  /** Somebody requests a snapshot. A request during a snapshot has missed its beginning, so another snapshot follows. */
  asked(): void {
    this.#isAsked = true
    this.#hasToSay = true
  }

  /** Sends what is due, within the bound of one tick. */
  tick(now_ms: number): void {
    let signals = 0
    for (; signals < signalsPerTick_max; signals += 1) if (!this.#sayChanges(now_ms)) break
    this.#beginRound(now_ms)
    for (; signals < signalsPerTick_max && this.#round; signals += 1) this.#sayPart(this.#round, now_ms)
    if (this.#hasToSay || now_ms - this.#saidAt_ms >= heartbeat_ms)
      this.#say({ type: 'heartbeat', seq: this.#seq }, now_ms)
  }

  goodbye(): void {
    this.#settings.publish({ type: 'goodbye', gateway: this.#settings.gatewayId })
  }

  /** Whether there were changes to send. */
  #sayChanges(now_ms: number): boolean {
    const { accounts, facts } = this.#takeChangedAccounts()
    const counts = this.#takeChangedCounts(factsPerSignal_max - facts)
    if (accounts.length + counts.length === 0) return false
    this.#sayNumbered({ type: 'change', ...factsOnTheWire({ accounts, counts }, this.#settings.sayings) }, now_ms)
    return true
  }

  /** As many changed accounts as fit into one signal, and their number of facts. */
  #takeChangedAccounts(): Pick<PresenceFacts, 'accounts'> & { readonly facts: number } {
    const accounts: (readonly [AccountId, AccountFact | undefined])[] = []
    let facts = 0
    for (const account of this.#changedAccounts) {
      const fact = bounded(this.#settings.factOf(account))
      const isNew = !isSame(fact, this.#accounts.get(account))
      if (isNew && facts + factsOf(fact) > factsPerSignal_max) break
      this.#changedAccounts.delete(account)
      if (!isNew) continue
      if (fact) this.#accounts.set(account, fact)
      else this.#accounts.delete(account)
      accounts.push([account, fact])
      facts += factsOf(fact)
    }
    return { accounts, facts }
  }

  #takeChangedCounts(facts_max: number): PresenceFacts['counts'] {
    const facts: (readonly [GuildId, number])[] = []
    for (const guild of this.#changedGuilds) {
      if (facts.length === facts_max) break
      this.#changedGuilds.delete(guild)
      const count = this.#settings.countOf(guild)
      if (count === (this.#counts.get(guild) ?? 0)) continue
      if (count > 0) this.#counts.set(guild, count)
      else this.#counts.delete(guild)
      facts.push([guild, count])
    }
    return facts
  }

  #beginRound(now_ms: number): void {
    if (this.#isAsked) this.#askedAt_ms ??= now_ms
    this.#isAsked = false
    if (this.#round || this.#askedAt_ms === undefined) return
    if (now_ms - this.#askedAt_ms < askers_ms || now_ms - this.#roundEndedAt_ms < betweenSnapshots_ms) return
    this.#askedAt_ms = undefined
    this.#round = { accounts: [...this.#accounts.keys()], guilds: [...this.#counts.keys()], isFirst: true }
  }

  #sayPart(round: Round, now_ms: number): void {
    const fitting = this.#fitting(round.accounts)
    const accounts = round.accounts.splice(0, fitting.accounts)
    const guilds = round.guilds.splice(0, factsPerSignal_max - fitting.facts)
    const facts = {
      accounts: accounts.map((account) => [account, this.#accounts.get(account)] as const),
      counts: guilds.map((guild) => [guild, this.#counts.get(guild) ?? 0] as const),
    }
    const { gone, ...standing } = factsOnTheWire(facts, this.#settings.sayings)
    const isLast = round.accounts.length + round.guilds.length === 0
    this.#sayNumbered({ type: 'snapshot', isFirst: round.isFirst, isLast, ...standing }, now_ms)
    round.isFirst = false
    if (!isLast) return
    this.#round = undefined
    this.#roundEndedAt_ms = now_ms
  }

  /** How many of the first accounts fit into one signal, and their number of facts. */
  #fitting(accounts: readonly AccountId[]): { readonly accounts: number; readonly facts: number } {
    let [count, facts] = [0, 0]
    for (const account of accounts) {
      const more = factsOf(this.#accounts.get(account))
      if (facts + more > factsPerSignal_max) break
      count += 1
      facts += more
    }
    return { accounts: count, facts }
  }

  #sayNumbered(message: SignalPayload, now_ms: number): void {
    this.#seq += 1
    this.#say({ ...message, seq: this.#seq }, now_ms)
  }

  #say(message: SignalPayload, now_ms: number): void {
    this.#saidAt_ms = now_ms
    this.#hasToSay = false
    this.#settings.publish({ ...message, gateway: this.#settings.gatewayId })
  }
}

/** Bounds the sessions of an account. Only one of its sessions here reports a custom status. */
function bounded(fact: AccountFact | undefined): AccountFact | undefined {
  if (!fact) return fact
  const told = fact.sessions.slice(0, sessionsPerAccount_max)
  const saying = sayingSession(told)
  return { ...fact, sessions: told.map((session) => (session === saying ? session : withoutSaying(session))) }
}

function withoutSaying({ id, status, afk, mobile }: PresentSession): PresentSession {
  return { id, status, afk, mobile }
}

function isSame(one: AccountFact | undefined, other: AccountFact | undefined): boolean {
  if (!one || !other) return one === other
  return one.standing === other.standing && isDeepStrictEqual(one.sessions, other.sessions)
}
