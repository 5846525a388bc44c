import type { EntryId } from '../ids/ids.js'
import { accept, refuse, type Decider, type Decision } from '../kernel/decider.js'
import type { AdminAuditCommand, RecordAdminAction, RefuseAdminAction } from './commands.js'
import type { AdminAuditEvent } from './events.js'
import { newest_max, type AdminAuditState } from './state.js'

/**
 * The log of administrators' actions. Its entries form a chain: each carries a hash of its whole content and of the previous
 * entry. So missing, added and changed entries are found.
 */
export const adminAudit: Decider<AdminAuditState, AdminAuditCommand, AdminAuditEvent> = {
  category: 'admin_audit',
  initial: { status: 'empty' },
  decide,
  evolve,
}

function decide(state: AdminAuditState, command: AdminAuditCommand): Decision<AdminAuditEvent> {
  if (state.status === 'begun' && state.newest.includes(command.entryId)) return accept()
  switch (command.type) {
    case 'RecordAdminAction':
      return record(state, command)
    case 'RefuseAdminAction':
      return refuseAction(state, command)
  }
}

/** Refuses with CONFLICT if another entry came between: the hash is then based on the wrong one. */
function record(state: AdminAuditState, { type: _, ...entry }: RecordAdminAction): Decision<AdminAuditEvent> {
  if (entry.previousHash !== endOf(state)) return refuse('CONFLICT')
  return accept({ type: 'AdminActionRecorded', data: entry })
}

function refuseAction(state: AdminAuditState, { entryId, adminId }: RefuseAdminAction): Decision<AdminAuditEvent> {
  if (state.status === 'begun' && state.refused.includes(entryId)) return accept()
  return accept({ type: 'AdminActionRefused', data: { entryId, adminId } })
}

const endOf = (state: AdminAuditState): string | null => (state.status === 'begun' ? state.hash : null)

function evolve(state: AdminAuditState, { type, data }: AdminAuditEvent): AdminAuditState {
  const { newest, refused } = state.status === 'begun' ? state : { newest: [], refused: [] }
  switch (type) {
    case 'AdminActionRecorded':
      return { status: 'begun', hash: data.hash, newest: withOneMore(newest, data.entryId), refused }
    case 'AdminActionRefused':
      return { status: 'begun', hash: endOf(state), newest, refused: withOneMore(refused, data.entryId) }
  }
}

const withOneMore = (ids: readonly EntryId[], id: EntryId): readonly EntryId[] => [...ids, id].slice(-newest_max)
