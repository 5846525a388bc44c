import type { AccountId, StorePurchaseId } from '../../domain/ids/ids.ts'

/** The keys that encrypt personal data in events: one per account, kept outside the event store. A
 * purchase in a store has a key of its own, under its own id (decision 84). */
export interface PersonalDataKeys {
  /** The keys of accounts. Makes a key for an account that never had one. Leaves out destroyed keys. */
  keysFor(accounts: readonly AccountId[]): Promise<ReadonlyMap<AccountId, Uint8Array>>
  /** The existing keys. Makes none. */
  existingKeys(accounts: readonly AccountId[]): Promise<ReadonlyMap<AccountId, Uint8Array>>
  /** Destroys a key for good. From now on, everything encrypted with it reads as null. */
  destroy(holder: AccountId | StorePurchaseId): Promise<void>
}
