import type { Instance } from '../../ports.js'
import type { RelyingParty } from '../../ports/passkeys.js'

/**
 * The instance as passkeys know it: by the host name of its public URL, and asked for by pages of that one origin. An instance
 * that moves to another host name has no use of passkeys that were registered before.
 */
export function relyingParty({ publicUrl, serviceName }: Pick<Instance, 'publicUrl' | 'serviceName'>): RelyingParty {
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, name: serviceName, origin }
}
