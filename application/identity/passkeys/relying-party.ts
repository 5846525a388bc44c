import type { Instance } from '../../ports.js'
import type { RelyingParty } from '../../ports/passkeys.js'

/**
 * The instance as a relying party: its id is the host name of its public URL, and only pages of that origin may ask for passkeys.
 * After a move to another host name, earlier passkeys no longer work.
 */
export function relyingParty({ publicUrl, serviceName }: Pick<Instance, 'publicUrl' | 'serviceName'>): RelyingParty {
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, name: serviceName, origin }
}
