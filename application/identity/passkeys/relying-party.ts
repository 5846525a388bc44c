import type { Instance } from '../../ports.ts'
import type { RelyingParty } from '../../ports/passkeys.ts'

/**
 * The instance as a relying party. Its id is the host name of its public URL: after a move to another host name, earlier passkeys
 * no longer work. Pages of that URL's origin may ask for passkeys, and so may those of the operator's clients that browsers let
 * ask for this id.
 */
export function relyingParty({
  publicUrl,
  webappUrl,
  clientOrigins,
  serviceName,
}: Pick<Instance, 'clientOrigins' | 'publicUrl' | 'serviceName' | 'webappUrl'>): RelyingParty {
  const { hostname: id, origin } = new URL(publicUrl)
  const clients = [new URL(webappUrl).origin, ...clientOrigins].filter((client) => mayAskFor(id, client))
  return { id, name: serviceName, origins: [...new Set([origin, ...clients])] }
}

/**
 * Whether browsers let pages of an origin ask for passkeys of a party: its host is the party's id or below it, and it is served
 * by https or from this machine (WebAuthn, 5.1.3; its ports do not matter).
 */
function mayAskFor(id: string, origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  const isBelow = hostname === id || hostname.endsWith(`.${id}`)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return isBelow && (protocol === 'https:' || (protocol === 'http:' && isLocal))
}
