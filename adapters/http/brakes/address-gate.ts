import { banRefusal } from '../../../application/administration/network-bans/ban-refusal.ts'
import type { BansInForce } from '../../../application/administration/network-bans/bans-in-force.ts'
import type { Refusal } from '../../../domain/kernel/refusal.ts'
import type { Exchange } from '../request/exchange.ts'
import type { FailureBrake } from './failure-brake.ts'

/** The check before everything else in a request: whether the sender's network is let in at all. */
export interface AddressGate {
  /** Why a client is turned away; undefined if it is let in. */
  refusalOf(address: string): Refusal | undefined
  /** Calls `handle` whenever the set of banned networks changes, until the returned function is called. */
  onChange(handle: () => void): () => void
  /** Called for every admitted request once it is answered. */
  answered(exchange: Exchange, status: number): void
}

/** Turns away banned networks, and counts failures if there is a brake (rules/http-and-limits#failures). */
export function addressGate(bans: BansInForce, appealEmail: string, brake: FailureBrake | undefined): AddressGate {
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
