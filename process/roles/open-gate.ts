import { addressGate, type AddressGate } from '../../adapters/http/brakes/address-gate.ts'
import { failureBrake, type FailureBrake } from '../../adapters/http/brakes/failure-brake.ts'
import { openFailureScores } from '../../adapters/http/brakes/failure-scores.ts'
import { banForFailures } from '../../application/administration/network-bans/ban-for-failures.ts'
import { bansAndListedAddresses } from '../../application/administration/network-bans/bans-and-listed-addresses.ts'
import { openBansInForce } from '../../application/administration/network-bans/bans-in-force.ts'
import type { Base } from './base.ts'
import type { CommandSide } from './open-command-side.ts'

/** Admits or rejects clients. Bans apply at every entry; failures are counted for requests, unless RATE_LIMITS is off. */
export async function openGate(base: Base, commands: CommandSide | undefined): Promise<AddressGate> {
  const { options, closings, queries, onError } = base
  const { rateLimits, smtp } = options.settings
  const bans = await openBansInForce({
    queries: bansAndListedAddresses(queries.networkBans, queries.blocklists),
    onError,
    looks_ms: options.looks_ms,
  })
  closings.add(async () => bans.close())
  const brake = rateLimits && commands ? await openBrake(base, commands) : undefined
  return addressGate(bans, smtp?.from.address ?? '', brake)
}

async function openBrake({ closings, database, onError }: Base, { ports }: CommandSide): Promise<FailureBrake> {
  const brake = failureBrake({
    scores: openFailureScores({ database }),
    ban: banForFailures(ports),
    isProtected: ports.isProtectedAddress,
    onError,
  })
  closings.add(() => brake.close())
  return brake
}
