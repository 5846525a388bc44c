import type { AdminActionRecorded, AdminActionRefused } from './events.js'

export type AdminAuditCommand = RecordAdminAction | RefuseAdminAction

/** Adds an entry behind the one that `previousHash` is of. */
export interface RecordAdminAction extends AdminActionRecorded {
  readonly type: 'RecordAdminAction'
}

/** Says that an action which has left events came to nothing. */
export interface RefuseAdminAction extends AdminActionRefused {
  readonly type: 'RefuseAdminAction'
}
