import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'

/** A passkey as the read model holds it, without the data that verifies an assertion. */
export interface PasskeyRecord {
  /** base64url. */
  readonly id: string
  readonly name: string
  readonly registeredAt: Timestamp
  readonly lastUsedAt: Timestamp | null
}

export interface PasskeyQueries {
  /** An account's passkeys, oldest first; at most ten. */
  ofAccount(account: AccountId): Promise<readonly PasskeyRecord[]>
  /** The account that a credential belongs to. If several claim it, the one that registered it first. */
  holderOf(credentialId: string): Promise<AccountId | undefined>
}
