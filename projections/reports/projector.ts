import type { AccountEvent } from '../../domain/account/events.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import type { Reported, ReportEvent } from '../../domain/report/events.ts'
import { patch, projection, put, removeWhere, type Row, type RowChange } from '../runner/projection.ts'

/** Reports with what was kept of them. Words and evidence have tables of their own: erasing an account removes their rows. */
export const reportsProjection = projection<AccountEvent | ReportEvent>({
  name: 'reports',
  answers: 'Who reported what and why, what it was then, and which administrator works on it or resolved it.',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { reports: ['report_id'], words: ['report_id'], evidence: ['report_id'] },
  on: {
    ReportFiled: ({ data: { reportId, reporterId, category, reported, additionalInfo, reportedAt } }) => [
      put('reports', {
        report_id: reportId,
        reporter_id: reporterId,
        category,
        reported_at: reportedAt,
        ...columnsOf(reported),
      }),
      put('words', { report_id: reportId, reporter_id: reporterId, additional_info: additionalInfo }),
    ],
    ReportEvidenceKept: ({ data: { reportId, evidenceOf, profile, messages } }) => [
      put('evidence', {
        report_id: reportId,
        account_id: evidenceOf,
        profile: profile && { ...profile },
        messages: messages && { list: messages },
      }),
    ],
    ReportClaimed: ({ data: { reportId, adminId, claimedAt } }) => [
      patch('reports', { report_id: reportId }, { claimed_by: adminId, claimed_at: claimedAt }),
    ],
    ReportReleased: ({ data: { reportId } }) => [
      patch('reports', { report_id: reportId }, { claimed_by: null, claimed_at: null }),
    ],
    ReportResolved: ({ data: { reportId, adminId, publicComment, resolvedAt } }) => [
      patch('reports', { report_id: reportId }, { resolved_by: adminId, resolved_at: resolvedAt }),
      patch('words', { report_id: reportId }, { public_comment: publicComment }),
    ],
    AccountErasureStarted: ({ data }) => personalRowsOf(data.accountId),
    // Again at the end: a report may be filed while the account is being erased.
    AccountErased: ({ data }) => personalRowsOf(data.accountId),
  },
})

function personalRowsOf(account: AccountId): readonly RowChange[] {
  return [removeWhere('words', { reporter_id: account }), removeWhere('evidence', { account_id: account })]
}

function columnsOf({ kind, accountId, guild, channel, messageId, guildContextId, inviteCode }: Reported): Row {
  return {
    kind,
    account_id: accountId,
    guild_id: guild?.id ?? null,
    guild_name: guild?.name ?? null,
    guild_icon: guild?.icon ?? null,
    guild_nsfw: guild?.nsfw ?? null,
    channel_id: channel?.id ?? null,
    channel_name: channel?.name ?? null,
    channel_nsfw: channel?.nsfw ?? null,
    message_id: messageId,
    guild_context_id: guildContextId,
    invite_code: inviteCode,
  }
}
