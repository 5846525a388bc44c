import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { AddressList } from '../../../application/content-rules/address-list.ts'
import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import { growsTo } from '../../../domain/kernel/grows-to.ts'
import type { FailureScores } from './failure-scores.ts'
import { failureWeight, unresolvedCredentialWeight, type FailedRequest } from './failure-weights.ts'

/** Counts failed requests by network, and bans networks that fail too often. */
export interface FailureBrake {
  note(failed: FailedRequest): void
  /** Adds the failures noted since the last flush to the shared scores, and bans. */
  flush(): Promise<void>
  /** Adds the remaining failures, and stops. */
  close(): Promise<void>
}

export interface FailureBrakeSettings {
  readonly scores: FailureScores
  readonly ban: (network: string) => Promise<void>
  /** Networks whose failures are not counted. */
  readonly isProtected: AddressList
  /** Called with every error. The failures noted since the last flush are then lost. */
  readonly onError: (error: unknown) => void
}

/** A ban follows the request that exceeded the threshold within this time, plus the time that the ban itself takes. */
export const brakeEvery_ms = 1000
const sweepEvery_ms = 10_000
/** The most networks noted between two flushes. Further networks are not noted until the next flush. */
export const notedNetworks_max = 10_000
/** Unresolved credentials, by network. Each counts once within the hour for which it is remembered. */
const credentials_max = 20_000
const credentialLife_ms = 3_600_000

/** Notes failures in memory, and adds them to the scores once a second. */
export function failureBrake({ scores, ban, isProtected, onError }: FailureBrakeSettings): FailureBrake {
  const credentials = new LRUCache<string, true>({ ...growsTo(credentials_max), ttl: credentialLife_ms })
  let noted = new Map<string, number>()
  let flushing: Promise<void> = Promise.resolve()

  /** A repeated credential is a client that has not noticed its failure; a new one is a guess. */
  function credentialWeight(network: string, { sender, authorization = '' }: FailedRequest): number {
    if (sender !== 'unresolved') return 0
    const hash = createHash('sha256').update(`${network} ${authorization}`).digest('base64')
    if (credentials.has(hash)) return 0
    credentials.set(hash, true)
    return unresolvedCredentialWeight
  }

  async function add(weights: ReadonlyMap<string, number>): Promise<void> {
    const networks = await scores.add(weights)
    for (const network of networks) await ban(network)
    if (networks.length > 0) await scores.forget(networks)
  }

  function flush(): Promise<void> {
    if (noted.size === 0) return flushing
    const weights = noted
    noted = new Map()
    flushing = flushing.then(() => add(weights)).catch(onError)
    return flushing
  }

  const timers = [
    setInterval(() => void flush(), brakeEvery_ms).unref(),
    setInterval(() => void scores.sweep().catch(onError), sweepEvery_ms).unref(),
  ]
  return {
    note(failed) {
      if (isIP(failed.ip) === 0 || isProtected(failed.ip)) return
      const network = networkOf(failed.ip, oneClient)
      const before = noted.get(network)
      if (before === undefined && noted.size >= notedNetworks_max) return
      const weight = failureWeight(failed)
      if (weight > 0) noted.set(network, (before ?? 0) + weight + credentialWeight(network, failed))
    },
    flush,
    async close() {
      for (const timer of timers) clearInterval(timer)
      await flush()
    },
  }
}
