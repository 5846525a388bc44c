import { allowancesOver } from '../../adapters/http/limits/allowances.js'
import { argon2Passwords } from '../../adapters/passwords/argon2-passwords.js'
import { blindIndex } from '../../adapters/personal-data/blind-index.js'
import { stockLimits } from '../../application/ports/limits.js'
import { gatewayUrlBelow } from '../../application/instance/gateway-url.js'
import type { Presence } from '../../application/ports/presence.js'
import type { Instance, Ports } from '../../application/ports.js'
import { openAggregates } from '../aggregates.js'
import { productVersion } from '../product-version.js'
import type { Base } from './base.js'
import type { SharedParts } from './shared-parts.js'

/** What use cases reach the world through. `publicUrl` is asked each time: it may follow from the port that is listened on. */
export function portsOf(
  { options, store, queries, readModels }: Base,
  { room, rateLimits }: SharedParts,
  presence: Presence,
  publicUrl: () => string,
): Ports {
  const { settings, personalDataKey, logger, limits } = options
  const instance: Instance = {
    serviceName: settings.serviceName,
    version: productVersion,
    hosted: settings.hosted,
    get publicUrl() {
      return publicUrl()
    },
    get gatewayUrl() {
      return settings.gatewayUrl ?? gatewayUrlBelow(publicUrl())
    },
  }
  return {
    aggregates: openAggregates({
      store: store.events,
      snapshots: store.snapshots,
      onSnapshotFailure: (stream, error) => {
        logger.warn({ err: error, stream }, 'a snapshot could not be written')
      },
    }),
    queries,
    readModels,
    room,
    limits: limits ?? stockLimits,
    allowances: allowancesOver(rateLimits),
    presence,
    passwords: argon2Passwords(),
    addressHash: blindIndex(personalDataKey),
    instance,
  }
}
