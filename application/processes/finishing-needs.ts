import type { AnonymisingNeeds } from '../identity/erasure/anonymise-messages.ts'
import type { ErasureNeeds } from '../identity/erasure/finish-erasure.ts'
import type { SettlingNeeds } from '../identity/purchases/settle-purchase.ts'
import type { Ports } from '../ports.ts'

/** The ports that process managers need to erase accounts and to finish any step. */
export type FinishingNeeds = ErasureNeeds &
  SettlingNeeds &
  AnonymisingNeeds &
  Pick<Ports, 'addressHash' | 'adminAuditHash' | 'jobs' | 'limits' | 'locks' | 'reservations' | 'sessionActivity'>
