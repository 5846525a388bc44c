import type { AccountId, RegistrationUrlId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'

/** An account that waits for approval. */
export interface PendingRegistration {
  readonly accountId: AccountId
  readonly username: string
  readonly discriminator: number
  readonly globalName: string | null
  readonly email: string | null
  readonly requestedAt: Timestamp
  /** The registration URL that it used; null for none. */
  readonly registrationUrlId: RegistrationUrlId | null
  readonly clientIp: string | null
}

/** A registration URL without its code, which is not stored. */
export interface RegistrationUrlRecord {
  readonly id: RegistrationUrlId
  readonly label: string | null
  /** Null if it was made at the command line. */
  readonly createdBy: AccountId | null
  readonly createdAt: Timestamp
  readonly expiresAt: Timestamp | null
  /** Null for no limit. */
  readonly maxUses: number | null
  readonly useCount: number
  readonly revokedAt: Timestamp | null
  readonly approvalRequired: boolean
  readonly lastUsedAt: Timestamp | null
  readonly lastUsedBy: AccountId | null
}

export interface RegistrationQueries {
  /** The accounts that wait for approval, longest wait first; at most `listedRegistrations_max`. */
  pending(): Promise<readonly PendingRegistration[]>
  /** The newest registration URLs, newest first; at most `listedRegistrations_max`. */
  urls(): Promise<readonly RegistrationUrlRecord[]>
  /** The URL whose code has this hash. Its aggregate decides whether it is still valid. */
  urlByCode(codeHash: string): Promise<RegistrationUrlId | undefined>
}
