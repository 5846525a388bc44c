import type { Timestamp } from '../kernel/timestamp.js'
import type { AdminKeyChanges, AdminKeyCreated } from './events.js'

export type AdminKeyCommand = CreateAdminKey | ChangeAdminKey | DeleteAdminKey

export interface CreateAdminKey extends Omit<AdminKeyCreated, 'createdAt'> {
  readonly type: 'CreateAdminKey'
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
