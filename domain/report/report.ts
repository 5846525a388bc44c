import { accountId } from '../ids/ids.ts'
import { snowflake } from '../ids/snowflake.ts'
import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import type { ClaimReport, FileReport, ReleaseReport, ReportCommand, ResolveReport } from './commands.ts'
import { reportEvents, type ReportEvent } from './events.ts'
import type { ReportState } from './state.ts'

/** One report of a message, an account or a guild (decision 89). */
export const report = aggregate({
  category: 'report',
  identifiedBy: 'the report id',
  guards: 'that one administrator at a time claims a report, and that it is resolved once (decision 89)',
  stateVersion: 1,
  events: reportEvents,
  subjectOf: (_id, { evidenceOf, reporterId }) => accountId(snowflake(String(evidenceOf ?? reporterId))),
  snapshots: 'clear',
  initial: { status: 'absent' },
  decide,
  evolve,
})

function decide(state: ReportState, command: ReportCommand): Decision<ReportEvent> {
  switch (command.type) {
    case 'FileReport':
      return file(state, command)
    case 'ClaimReport':
      return claim(state, command)
    case 'ReleaseReport':
      return release(state, command)
    case 'ResolveReport':
      return resolve(state, command)
  }
}

/** A report that is filed already stays as it is. */
function file(state: ReportState, { filed, evidence }: FileReport): Decision<ReportEvent> {
  if (state.status !== 'absent') return accept()
  const { reportId } = filed
  return accept(
    { type: 'ReportFiled', data: filed },
    ...(evidence === null ? [] : [{ type: 'ReportEvidenceKept', data: { reportId, ...evidence } } as const]),
  )
}

/** 409 CONFLICT for a report that another administrator works on. */
function claim(state: ReportState, { adminId, now }: ClaimReport): Decision<ReportEvent> {
  if (state.status !== 'pending') return refuseUnlessPending(state)
  if (state.claimedBy === adminId) return accept()
  if (state.claimedBy !== null) return refuse('CONFLICT')
  return accept({ type: 'ReportClaimed', data: { reportId: state.id, adminId, claimedAt: now } })
}

function release(state: ReportState, { adminId, now }: ReleaseReport): Decision<ReportEvent> {
  if (state.status !== 'pending') return refuseUnlessPending(state)
  if (state.claimedBy === null) return accept()
  return accept({ type: 'ReportReleased', data: { reportId: state.id, adminId, releasedAt: now } })
}

/** A claim does not keep other administrators from resolving the report. */
function resolve(state: ReportState, command: ResolveReport): Decision<ReportEvent> {
  if (state.status !== 'pending') return refuseUnlessPending(state)
  const { adminId, cause, publicComment, now } = command
  const { id: reportId, reporterId } = state
  const data = { reportId, reporterId, adminId, cause, publicComment, resolvedAt: now }
  return accept({ type: 'ReportResolved', data })
}

function refuseUnlessPending({ status }: Exclude<ReportState, { readonly status: 'pending' }>): Decision<ReportEvent> {
  return refuse(status === 'absent' ? 'UNKNOWN_REPORT' : 'REPORT_ALREADY_RESOLVED')
}

function evolve(state: ReportState, { type, data }: ReportEvent): ReportState {
  switch (type) {
    case 'ReportFiled':
      return { status: 'pending', id: data.reportId, reporterId: data.reporterId, claimedBy: null }
    case 'ReportEvidenceKept':
      return state
    case 'ReportClaimed':
      return state.status === 'pending' ? { ...state, claimedBy: data.adminId } : state
    case 'ReportReleased':
      return state.status === 'pending' ? { ...state, claimedBy: null } : state
    case 'ReportResolved':
      return { status: 'resolved', id: data.reportId, reporterId: data.reporterId }
  }
}
