import { lookup } from 'node:dns/promises'
import { isIPv6 } from 'node:net'

/** Where a node is reached. */
export interface Endpoint {
  /** A name or an address. */
  readonly host: string
  readonly port: number
  /** The name that its certificate has to bear, where `host` is an address that was looked up. */
  readonly certifiedAs?: string
}

/** The same text for the same endpoint: `host:port`, as gRPC takes it. */
export const textOf = ({ host, port }: Endpoint): string => `${isIPv6(host) ? `[${host}]` : host}:${port}`

/** Every address behind a name, each as an endpoint. Rejects where the name is not known. */
export async function addressesOf({ host, port }: Endpoint): Promise<readonly Endpoint[]> {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => (address === host ? { host, port } : { host: address, port, certifiedAs: host }))
}

/** Each endpoint once, in the order given. */
export function distinct(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  return [...new Map(endpoints.map((endpoint) => [textOf(endpoint), endpoint])).values()]
}
