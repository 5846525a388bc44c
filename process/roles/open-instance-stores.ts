import type { Registry } from 'prom-client'
import { openStores } from '../../adapters/stores/open-stores.js'
import { pinnedRootFingerprint } from '../../adapters/stores/store-settings.js'
import { observedStores } from '../../adapters/telemetry/observed-stores.js'
import { noStores } from '../../application/identity/purchases/no-stores.js'
import type { Stores } from '../../application/ports/stores.js'
import type { GuildhallSettings } from '../settings/guildhall-settings.js'

/** The stores of a hosted instance. A root certificate that is not the pinned one is told at each start: it vouches for purchases. */
export function openInstanceStores({
  settings: { hosted, stores },
  logger,
  storeTimes,
  metrics,
}: Pick<GuildhallSettings, 'logger' | 'storeTimes'> & {
  readonly settings: Pick<GuildhallSettings['settings'], 'hosted' | 'stores'>
  /** Where what the stores answer is counted; nowhere if left out. */
  readonly metrics?: Registry
}): Stores {
  if (!hosted || (!stores?.storeA && !stores?.storeB)) return noStores
  for (const fingerprint of stores.storeA?.rootFingerprints ?? []) {
    if (fingerprint !== pinnedRootFingerprint)
      logger.warn({ fingerprint }, 'STORE_A trusts another root certificate than the pinned one')
  }
  const opened = openStores({ ...stores, ...storeTimes })
  return metrics ? observedStores(opened, metrics) : opened
}
