import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import { holds } from '../../../domain/network-ban/state.ts'
import { openRefreshedCopy } from '../../caches/refreshed-copy.ts'
import type { HoldingNetworkBans, NetworkBanRecord } from '../../ports/queries/network-ban-queries.ts'

/** The bans, held in memory by each process, so that a request costs no query. */
export interface BansInForce {
  /** The ban in force now on the network of a client's address. */
  of(address: string): NetworkBanRecord | undefined
  /** Calls `handle` whenever the known bans change, until the returned function is called. */
  onChange(handle: () => void): () => void
  /** Looks for changes at once. */
  refresh(): Promise<void>
  close(): void
}

export interface BansInForceSettings {
  readonly queries: HoldingNetworkBans
  /** Called with the first error after a successful look. The known bans stay in force. */
  readonly onError: (error: unknown) => void
  /** Milliseconds since the Unix epoch. */
  readonly now_ms?: () => number
  /** How often it looks for changes. Default: as every refreshed copy. */
  readonly looks_ms?: number | undefined
}

/** How many bans a process holds, some 300 bytes each. If there are more, it leaves out the oldest that expire. */
export const knownBans_max = 100_000

/** Resolves once the bans are loaded. Changes are known some `looks_ms` later. */
export async function openBansInForce(settings: BansInForceSettings): Promise<BansInForce> {
  const { queries, onError, now_ms = Date.now, looks_ms } = settings
  const handles = new Set<() => void>()
  const copy = await openRefreshedCopy<ReadonlyMap<string, NetworkBanRecord>>({
    changes: () => queries.changes(),
    read: async () => {
      const bans = await queries.holding(timestamp(now_ms()), knownBans_max)
      return new Map(bans.map((ban) => [ban.network, ban]))
    },
    onError,
    looks_ms,
    onChange: () => {
      for (const handle of handles) handle()
    },
  })
  return {
    of(address) {
      const known = copy.current()
      if (known.size === 0) return undefined
      const ban = known.get(networkOf(address, oneClient))
      return ban !== undefined && holds(ban, timestamp(now_ms())) ? ban : undefined
    },
    onChange(handle) {
      handles.add(handle)
      return () => void handles.delete(handle)
    },
    refresh: () => copy.refresh(),
    close: () => copy.close(),
  }
}
