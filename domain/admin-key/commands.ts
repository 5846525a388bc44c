import type { Timestamp } from '../kernel/timestamp.ts'
import type { AdminKeyChanges, AdminKeyCreated } from './events.ts'

export type AdminKeyCommand = CreateAdminKey | ChangeAdminKey | DeleteAdminKey

export interface CreateAdminKey extends Omit<AdminKeyCreated, 'createdAt' | 'delegationVersion'> {
  readonly type: 'CreateAdminKey'
  /** The account's. */
  readonly delegationVersion: number
  readonly now: Timestamp
}

export interface ChangeAdminKey {
  readonly type: 'ChangeAdminKey'
  readonly changes: AdminKeyChanges
  readonly now: Timestamp
}

export interface DeleteAdminKey {
  readonly type: 'DeleteAdminKey'
  readonly now: Timestamp
}
