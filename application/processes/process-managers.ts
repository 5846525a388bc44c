import { adminAction } from './managers/admin-actions.ts'
import { admission, groupAdmission } from './managers/admissions.ts'
import { addressClaim, handleClaim, identityClaim, registrationUrlUse } from './managers/claims.ts'
import { authoredMessages, botErasure, erasure } from './managers/erasures.ts'
import { botInstallation, customCode, discoveryListing, founding } from './managers/guilds.ts'
import { channelMessages, groupMessages, guildMessages } from './managers/messages.ts'
import { giftRedemption, giftRefund, storeBilling, storePurchase } from './managers/purchases.ts'
import type { ProcessManager } from './process-manager.ts'

/** Every process manager. The read model `unfinished`, the jobs and the reference page know of them from here. */
export const processManagers: readonly ProcessManager[] = [
  admission,
  groupAdmission,
  founding,
  botInstallation,
  customCode,
  discoveryListing,
  handleClaim,
  addressClaim,
  registrationUrlUse,
  identityClaim,
  botErasure,
  erasure,
  authoredMessages,
  groupMessages,
  channelMessages,
  guildMessages,
  giftRedemption,
  giftRefund,
  storePurchase,
  storeBilling,
  adminAction,
]

/** The names of all, as they are kept with steps and jobs. */
export const processNames: readonly string[] = processManagers.map(({ name }) => name)

const byName = new Map(processManagers.map((manager) => [manager.name, manager]))

/** The process manager of a step. Throws for a name that this version does not know: nobody is given such a step. */
export function managerOf({ process }: { readonly process: string }): ProcessManager {
  const manager = byName.get(process)
  if (!manager) throw new Error(`No process manager is named ${process}`)
  return manager
}
