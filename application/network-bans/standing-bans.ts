import { timestamp } from '../../domain/kernel/timestamp.js'
import { networkOf, oneClient } from '../../domain/network/network-of.js'
import { holds } from '../../domain/network-ban/state.js'
import type { NetworkBanQueries, NetworkBanRecord } from '../ports/queries/network-ban-queries.js'

/** The bans as one process knows them, so that a request costs no query. */
export interface StandingBans {
  /** The ban of the network that a client's address is in, where it holds now. */
  of(address: string): NetworkBanRecord | undefined
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

/** A ban holds in every process so long after the read models hold it, at most; as long, one that is lifted may go on. */
export const copyAge_ms_max = 1000
/** Some 300 bytes each. Where there are more, those without an end count, and the newest of the others. */
export const knownBans_max = 100_000

/** Resolves once the bans are known. One small query a second tells whether there is something new. */
export async function openStandingBans(settings: StandingBansSettings): Promise<StandingBans> {
  const { queries, onError, now_ms = Date.now } = settings
  let known: ReadonlyMap<string, NetworkBanRecord> = new Map()
  let changes: number | undefined
  let looking: Promise<void> | undefined
  let isFailing = false

  async function look(): Promise<void> {
    // Before the bans: what changes in between is found by the next look.
    const newest = await queries.changes()
    if (newest === changes) return
    const bans = await queries.holding(timestamp(now_ms()), knownBans_max)
    known = new Map(bans.map((ban) => [ban.network, ban]))
    changes = newest
  }

  function refresh(): Promise<void> {
    looking ??= look().finally(() => (looking = undefined))
    return looking
  }

  async function refreshInTime(): Promise<void> {
    try {
      await refresh()
      isFailing = false
    } catch (error) {
      // Once, and not each second for as long as Postgres is away.
      if (!isFailing) onError(error)
      isFailing = true
    }
  }

  await refresh()
  const timer = setInterval(() => void refreshInTime(), copyAge_ms_max).unref()
  return {
    of(address) {
      if (known.size === 0) return undefined
      const ban = known.get(networkOf(address, oneClient))
      return ban !== undefined && holds(ban, timestamp(now_ms())) ? ban : undefined
    },
    refresh,
    close: () => clearInterval(timer),
  }
}
