import { describe, expect, it } from 'vitest'
import { fold } from '../../../domain/kernel/decider.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import type { ReportCommand } from '../../../domain/report/commands.ts'
import type { ReportEvent } from '../../../domain/report/events.ts'
import { report } from '../../../domain/report/report.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { laws } from '../../support/laws.ts'
import { ada, grace, linus, moderator, start } from '../../../domain/testing/people.ts'
import {
  evidenceOfGrace,
  reportCommands,
  reportedMessage,
  someReport,
} from '../../../domain/testing/commands/report-commands.ts'

laws('report', reportCommands)

const later = secondsAfter(start, 60)
const reportId = someReport
const filing = {
  reportId,
  reporterId: ada,
  category: 'spam',
  reported: reportedMessage,
  additionalInfo: 'Again and again',
  reportedAt: start,
} as const
const file: ReportCommand = { type: 'FileReport', filed: filing, evidence: evidenceOfGrace }
const filed: ReportEvent = { type: 'ReportFiled', data: filing }
const kept: ReportEvent = { type: 'ReportEvidenceKept', data: { reportId, ...evidenceOfGrace } }
const claim = (adminId = linus): ReportCommand => ({ type: 'ClaimReport', adminId, now: later })
const claimed = (adminId = linus): ReportEvent => ({
  type: 'ReportClaimed',
  data: { reportId, adminId, claimedAt: later },
})
const release: ReportCommand = { type: 'ReleaseReport', adminId: moderator, now: later }
const released: ReportEvent = { type: 'ReportReleased', data: { reportId, adminId: moderator, releasedAt: later } }
const outcome = { adminId: moderator, cause: 'decided', publicComment: 'Removed' } as const
const resolve: ReportCommand = { type: 'ResolveReport', ...outcome, now: later }
const resolved: ReportEvent = {
  type: 'ReportResolved',
  data: { reportId, reporterId: ada, ...outcome, resolvedAt: later },
}

describe('filing a report', () => {
  it('keeps the words of the reporter and the evidence apart, as each belongs to another account', () => {
    given(report, []).when(file).then(filed, kept)
    expect(report.subjectOf?.(reportId, { ...filing })).toBe(ada)
    expect(report.subjectOf?.(reportId, { ...kept.data })).toBe(grace)
    expect(report.subjectOf?.(reportId, { ...resolved.data })).toBe(ada)
  })

  it('without evidence keeps none', () => {
    given(report, [])
      .when({ ...file, evidence: null })
      .then(filed)
  })
})

describe('a claim', () => {
  it('is of one administrator at a time', () => {
    given(report, [filed, kept]).when(claim()).then(claimed())
    given(report, [filed, claimed()]).when(claim()).changesNothing()
    given(report, [filed, claimed()]).when(claim(moderator)).refuses('CONFLICT')
  })

  it('ends when any administrator releases it', () => {
    given(report, [filed, claimed()]).when(release).then(released)
    given(report, [filed]).when(release).changesNothing()
    given(report, [filed, claimed(), released]).when(claim(moderator)).then(claimed(moderator))
  })
})

describe('resolving a report', () => {
  it('is open to every administrator, whoever claimed it', () => {
    given(report, [filed, kept]).when(resolve).then(resolved)
    given(report, [filed, claimed(linus)])
      .when(resolve)
      .then(resolved)
  })

  it('happens once, and ends claims', () => {
    for (const command of [resolve, claim(), release])
      given(report, [filed, resolved]).when(command).refuses('REPORT_ALREADY_RESOLVED')
  })

  it('needs a report', () => {
    for (const command of [resolve, claim(), release]) given(report, []).when(command).refuses('UNKNOWN_REPORT')
  })

  property('no history resolves a report twice', histories(report, reportCommands), ({ events }) => {
    expect(events.filter(({ type }) => type === 'ReportResolved').length).toBeLessThanOrEqual(1)
    expect(fold(report, events).status).not.toBe(undefined)
  })
})
