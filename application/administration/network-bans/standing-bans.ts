import { timestamp } from '../../../domain/kernel/timestamp.js'
import { networkOf, oneClient } from '../../../domain/network/network-of.js'
import { holds } from '../../../domain/network-ban/state.js'
import { openRefreshedCopy } from '../../caches/refreshed-copy.js'
import type { NetworkBanQueries, NetworkBanRecord } from '../../ports/queries/network-ban-queries.js'

/** The bans as one process knows them, so that a request costs no query. */
export interface StandingBans {
  /** The ban of the network that a client's address is in, where it holds now. */
  of(address: string): NetworkBanRecord | undefined
  /** Calls `handle` whenever other bans are known, until the returned function is called. */
  onChange(handle: () => void): () => void
  /** Looks for what is new at once. */
  refresh(): Promise<void>
  close(): void
}

export interface StandingBansSettings {
  readonly queries: NetworkBanQueries
  /** Told of the first look that fails after one that did not: the bans that are known go on to hold. */
  readonly onError: (error: unknown) => void
  /** Milliseconds since the Unix epoch. */
  readonly now_ms?: () => number
}

/** Some 300 bytes each. Where there are more, those without an end count, and the newest of the others. */
export const knownBans_max = 100_000

/** Resolves once the bans are known; they are as old as a refreshed copy may be. */
export async function openStandingBans(settings: StandingBansSettings): Promise<StandingBans> {
  const { queries, onError, now_ms = Date.now } = settings
  const handles = new Set<() => void>()
  const copy = await openRefreshedCopy<ReadonlyMap<string, NetworkBanRecord>>({
    changes: () => queries.changes(),
    read: async () => {
      const bans = await queries.holding(timestamp(now_ms()), knownBans_max)
      return new Map(bans.map((ban) => [ban.network, ban]))
    },
    onError,
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
