import type { AnonymisingNeeds } from '../identity/erasure/anonymise-messages.js'
import type { ErasureNeeds } from '../identity/erasure/finish-erasure.js'
import type { SettlingNeeds } from '../identity/purchases/settle-purchase.js'
import type { Ports } from '../ports.js'
import type { AdmissionNeeds } from './finish-admission.js'

/** The ports that process managers need to erase accounts and to finish any step. */
export type FinishingNeeds = AdmissionNeeds &
  ErasureNeeds &
  SettlingNeeds &
  AnonymisingNeeds &
  Pick<Ports, 'addressHash' | 'adminAuditHash' | 'jobs' | 'sessionActivity'>
