import { finishAdminAction } from '../../administration/audit/finish-admin-action.ts'
import { processManager } from '../process-manager.ts'

/** Whatever an administrator's request writes names its entry, in the metadata of each event. */
export const adminAction = processManager({
  name: 'admin_action',
  unfinished: "An administrator's request wrote an event, and the admin audit log has no entry for it.",
  finishing: 'The entry is recorded, as that of an interrupted action.',
  begins: {
    anyEvent: ({ metadata: { adminAction: action, reason = null, at: actedAt } }) =>
      action && { key: action.entryId, data: { ...action, reason, actedAt } },
  },
  ends: {
    AdminActionRecorded: ({ data }) => [{ key: data.entryId }],
    AdminActionRefused: ({ data }) => [{ key: data.entryId }],
  },
  finish: (ports, { data }, context) => finishAdminAction(ports, data, context),
})
