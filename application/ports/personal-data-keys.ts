import type { AccountId } from '../../domain/ids/ids.js'

/** The keys that personal data in events is encrypted with: one an account, kept outside the event store. */
export interface PersonalDataKeys {
  /** The keys of accounts, made where an account has none and never had one. A destroyed key is left out. */
  keysFor(accounts: readonly AccountId[]): Promise<ReadonlyMap<AccountId, Uint8Array>>
  /** The keys that exist, made for nobody. */
  existingKeys(accounts: readonly AccountId[]): Promise<ReadonlyMap<AccountId, Uint8Array>>
  /** Destroys a key for good: what it encrypted reads as null from now on. */
  destroy(account: AccountId): Promise<void>
}
