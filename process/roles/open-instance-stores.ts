import type { Registry } from 'prom-client'
import { openStores } from '../../adapters/stores/open-stores.ts'
import { pinnedRootFingerprint } from '../../adapters/stores/store-settings.ts'
import { observedStores } from '../../adapters/telemetry/observed-stores.ts'
import { noStores } from '../../application/identity/purchases/no-stores.ts'
import type { Stores } from '../../application/ports/stores.ts'
import type { GuildhallSettings } from '../settings/guildhall-settings.ts'

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
