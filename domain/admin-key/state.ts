import type { AccountId, AdminKeyId } from '../ids/ids.ts'
import { hasEnded, type Timestamp } from '../kernel/timestamp.ts'

/** A deleted key never comes back. */
export type AdminKeyState =
  | { readonly status: 'absent' }
  | ({ readonly status: 'issued' } & AdminKey)
  | { readonly status: 'deleted' }

export interface AdminKey {
  readonly keyId: AdminKeyId
  readonly accountId: AccountId
  readonly name: string
  readonly acls: readonly string[]
  readonly expiresAt: Timestamp | null
  /** The account's when it made the key. Under another one the key is void. */
  readonly delegationVersion: number
}

/** Whether the key is invalid at an instant: from its expiry on. */
export function isExpired({ expiresAt }: Pick<AdminKey, 'expiresAt'>, now: Timestamp): boolean {
  return expiresAt !== null && hasEnded(expiresAt, now)
}
