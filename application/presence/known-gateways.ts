import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import type { PresentSession } from '../ports/presence.ts'
import { KnownGateway } from './known-gateway.ts'
import { gateways_max } from './presence-bounds.ts'
import type { SealedSayings } from './sealed-sayings.ts'
import type { GatewayMessage } from './presence-messages.ts'

export interface KnownGatewaysSettings {
  /** Called after the presence of accounts at a Gateway may have changed. */
  readonly onAccounts: (accounts: Iterable<AccountId>) => void
  /** Called once for each bound that is reached: from then on some facts are not known. */
  readonly onError: (error: unknown) => void
  /** Only where sessions are needed: opens their custom statuses. */
  readonly sayings: Pick<SealedSayings, 'open'> | undefined
}

/** The Gateways heard from lately, and the presence that they reported. */
export class KnownGateways {
  readonly #settings: KnownGatewaysSettings
  readonly #byId = new Map<string, KnownGateway>()
  readonly #reported = new Set<string>()
  #askedAllAt_ms = Number.NEGATIVE_INFINITY

  constructor(settings: KnownGatewaysSettings) {
    this.#settings = settings
  }

  get count(): number {
    return this.#byId.size
  }

  /** Whether no message of any of them was missed. */
  get isComplete(): boolean {
    return this.#all().every(({ isComplete }) => isComplete)
  }

  take(message: GatewayMessage, now_ms: number): void {
    if (message.type === 'goodbye') {
      this.#forget(message.gateway)
      return
    }
    const gateway = this.#byId.get(message.gateway) ?? this.#add(message.gateway, now_ms)
    if (!gateway) return
    const { dropped_facts } = gateway
    this.#settings.onAccounts(gateway.take(message, now_ms))
    if (gateway.dropped_facts > dropped_facts) {
      this.#report(`Gateway ${message.gateway} tells of more accounts or guilds than are kept`)
    }
  }

  /** Forgets Gateways that have been silent for too long. */
  forgetSilent(now_ms: number): void {
    for (const [id, gateway] of this.#byId) if (gateway.isSilent(now_ms)) this.#forget(id)
  }

  /** The Gateways whose snapshot should be requested now. */
  wanting(now_ms: number): readonly string[] {
    return [...this.#byId].filter(([, gateway]) => gateway.wantsSnapshot(now_ms)).map(([id]) => id)
  }

  /** Somebody requested a snapshot from these Gateways, or from all. */
  asked(ids: readonly string[] | undefined, now_ms: number): void {
    if (!ids) this.#askedAllAt_ms = now_ms
    const gateways = ids ? ids.flatMap((id) => this.#byId.get(id) ?? []) : this.#all()
    for (const gateway of gateways) gateway.asked(now_ms)
  }

  isPresent(account: AccountId): boolean {
    return this.#all().some(({ accounts }) => accounts.has(account))
  }

  /** Whether a Gateway with a lower id counts the account as online. */
  isCountedBefore(account: AccountId, id: string): boolean {
    return [...this.#byId].some(([other, { accounts }]) => other < id && accounts.get(account)?.standing === 'counted')
  }

  sessionsOf(account: AccountId): readonly PresentSession[] {
    return this.#all().flatMap(({ accounts }) => accounts.get(account)?.sessions ?? [])
  }

  onlineCount(guild: GuildId): number {
    return this.#all().reduce((sum, { counts }) => sum + (counts.get(guild) ?? 0), 0)
  }

  #all(): readonly KnownGateway[] {
    return [...this.#byId.values()]
  }

  #add(id: string, now_ms: number): KnownGateway | undefined {
    if (this.#byId.size >= gateways_max) {
      this.#report(`There are more than ${gateways_max} Gateways; presence at the others is not known`)
      return undefined
    }
    const gateway = new KnownGateway(now_ms, this.#askedAllAt_ms, this.#settings.sayings)
    this.#byId.set(id, gateway)
    return gateway
  }

  #forget(id: string): void {
    const gateway = this.#byId.get(id)
    this.#byId.delete(id)
    if (gateway) this.#settings.onAccounts(gateway.accounts.keys())
  }

  /** Reports each failure once, and at most as many as there may be Gateways. */
  #report(message: string): void {
    if (this.#reported.has(message) || this.#reported.size >= gateways_max) return
    this.#reported.add(message)
    this.#settings.onError(new Error(message))
  }
}
