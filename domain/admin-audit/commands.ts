import type { AdminActionRecorded, AdminActionRefused } from './events.ts'

export type AdminAuditCommand = RecordAdminAction | RefuseAdminAction

/** Adds an entry after the one with `previousHash`. */
export interface RecordAdminAction extends AdminActionRecorded {
  readonly type: 'RecordAdminAction'
}

/** Records that an action which wrote events was refused in the end. */
export interface RefuseAdminAction extends AdminActionRefused {
  readonly type: 'RefuseAdminAction'
}
