import type { Ports } from '../../ports.ts'
import type { NetworkFacts } from '../../wire-objects/administration/admin-user-object.ts'

/** What look-ups say of an address. */
interface LookedUpNetwork extends NetworkFacts {
  /** Whether the look-up of its location failed. */
  readonly failed: boolean
}

/** Of an address that is not known, or that the caller may not see. */
const nothingLookedUp: LookedUpNetwork = { hostName: null, location: null, failed: false }

/** Looks up the host name and the location of an address, in two seconds at most. */
async function lookUpNetwork(
  { networkLookups }: Pick<Ports, 'networkLookups'>,
  address: string,
): Promise<LookedUpNetwork> {
  const [hostName, located] = await Promise.all([networkLookups.hostName(address), networkLookups.location(address)])
  return { hostName, ...located }
}

/** What look-ups say of some addresses. */
export interface LookedUpNetworks {
  /** Of none of these addresses: nothing. */
  readonly of: (ip: string | null) => NetworkFacts
  /** Whether there are addresses, and the location of none could be looked up. */
  readonly allFailed: boolean
}

/** Looks up each address once, all at the same time, in two seconds at most. Only for callers with user:view:ip. */
export async function lookUpNetworks(
  needs: Pick<Ports, 'networkLookups'>,
  ips: Iterable<string | null>,
): Promise<LookedUpNetworks> {
  const addresses = [...new Set(ips)].filter((ip) => ip !== null)
  const found = await Promise.all(addresses.map((ip) => lookUpNetwork(needs, ip)))
  const byAddress = new Map(addresses.map((ip, index) => [ip, found[index] ?? nothingLookedUp]))
  return {
    of: (ip) => (ip === null ? undefined : byAddress.get(ip)) ?? nothingLookedUp,
    allFailed: found.length > 0 && found.every(({ failed }) => failed),
  }
}

/** For callers who may not see addresses: nothing is looked up. */
export const noLookups: LookedUpNetworks = { of: () => nothingLookedUp, allFailed: false }
