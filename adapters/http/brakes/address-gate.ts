import { banRefusal } from '../../../application/administration/network-bans/ban-refusal.js'
import type { StandingBans } from '../../../application/administration/network-bans/standing-bans.js'
import type { Refusal } from '../../../domain/kernel/refusal.js'
import type { Exchange } from '../server/exchange.js'
import type { FailureBrake } from './failure-brake.js'

/** What stands before everything else that a request may ask for: whether its sender's network is let in at all. */
export interface AddressGate {
  /** Why a client is turned away; undefined where it is not. */
  refusalOf(address: string): Refusal | undefined
  /** Calls `handle` whenever others than before are turned away, until the returned function is called. */
  onChange(handle: () => void): () => void
  /** Told of every request that was let in, once it is answered. */
  answered(exchange: Exchange, status: number): void
}

/** Turns away banned networks, and counts failures where there is a brake (reference identity 1.12 and 2.2). */
export function addressGate(bans: StandingBans, appealEmail: string, brake: FailureBrake | undefined): AddressGate {
  return {
    refusalOf(address) {
      const ban = bans.of(address)
      return ban && banRefusal(ban, address, appealEmail)
    },
    onChange: (handle) => bans.onChange(handle),
    answered({ facts, sender }, status) {
      if (status >= 400 && status < 500 && !bans.of(facts.ip)) brake?.note({ ...facts, sender, status })
    },
  }
}
