import { lookup } from 'node:dns/promises'
import { isIPv6 } from 'node:net'

/** The network address of a node. */
export interface Endpoint {
  /** A name or an address. */
  readonly host: string
  readonly port: number
  /** The name that its certificate must bear, if `host` is an address that was looked up. */
  readonly certifiedAs?: string
}

/** `host:port`, as gRPC takes it. Equal endpoints give equal texts. */
export const textOf = ({ host, port }: Endpoint): string => `${isIPv6(host) ? `[${host}]` : host}:${port}`

/** All addresses of a name, each as an endpoint. Rejects if the name is unknown. */
export async function addressesOf({ host, port }: Endpoint): Promise<readonly Endpoint[]> {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => (address === host ? { host, port } : { host: address, port, certifiedAs: host }))
}

/** Each endpoint once, in the given order. */
export function distinct(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  return [...new Map(endpoints.map((endpoint) => [textOf(endpoint), endpoint])).values()]
}
