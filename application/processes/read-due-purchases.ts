import type { Timestamp } from '../../domain/kernel/timestamp.js'
import { Refused } from '../commands/refused.js'
import { systemContext } from '../commands/system-context.js'
import type { ApplyNeeds } from '../identity/purchases/apply-reading.js'
import { refreshPurchase } from '../identity/purchases/read-again.js'
import type { Ports } from '../ports.js'

type Needs = ApplyNeeds & Pick<Ports, 'readModels'>

/**
 * Reads a purchase again whose time has come. A store that does not answer changes nothing: the purchase stays due, and the next
 * round asks again.
 */
export function readDuePurchase(ports: Needs) {
  return async (purchase: string, now: Timestamp): Promise<void> => {
    const context = systemContext('store refresh', now)
    try {
      await refreshPurchase(ports, purchase, context)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
    }
    await ports.readModels.reached(context.written)
  }
}
