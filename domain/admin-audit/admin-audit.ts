import { accountId, type EntryId } from '../ids/ids.ts'
import { snowflake } from '../ids/snowflake.ts'
import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import { accountOfTarget } from './account-of-target.ts'
import type { AdminAuditCommand, RecordAdminAction, RefuseAdminAction } from './commands.ts'
import { adminAuditEvents, type AdminAuditEvent } from './events.ts'
import { newest_max, type AdminAuditState } from './state.ts'

/**
 * The log of administrators' actions. Its entries form a chain: each carries a hash of its whole content and of the previous
 * entry. So missing, added and changed entries are found.
 */
export const adminAudit = aggregate({
  category: 'admin_audit',
  identifiedBy: '`self`: there is one',
  guards: 'the entries of the admin audit log and their order (decision 21)',
  stateVersion: 1,
  events: adminAuditEvents,
  snapshots: 'clear',
  subjectOf: (_id, { targetType, targetId, adminId }) =>
    accountOfTarget({ type: String(targetType), id: String(targetId) }) ?? accountId(snowflake(String(adminId))),
  initial: { status: 'empty' },
  decide,
  evolve,
})

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

function refuseAction(state: AdminAuditState, { type: _, ...refused }: RefuseAdminAction): Decision<AdminAuditEvent> {
  if (state.status === 'begun' && state.refused.includes(refused.entryId)) return accept()
  return accept({ type: 'AdminActionRefused', data: refused })
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
