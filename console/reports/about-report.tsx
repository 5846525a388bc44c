import Typography from '@mui/material/Typography'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router-dom'
import { Age } from '../parts/age.tsx'
import { Facts } from '../parts/facts.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { userPath } from '../users/user-list.tsx'
import { Said, type Report } from './report-list.tsx'
import { ReportsAbout } from './reports-about.tsx'
import { kinds } from './report-texts.ts'

/** What a report says, how old it is, and what became of it. */
export function AboutReport({ report }: { readonly report: Report }) {
  return (
    <>
      <Typography component="p" variant="subtitle1">
        <Said group="report_types" name={kinds[report.report_type]} /> ·{' '}
        <Said group="report_categories" name={report.category} /> · <Age at={report.reported_at} /> ·{' '}
        <Said group="report_statuses" name={report.resolved_at === null ? 'pending' : 'resolved'} />
      </Typography>
      <Typography component="blockquote" variant="body1" sx={{ marginInline: 0 }}>
        <PlainText>{report.additional_info}</PlainText>
      </Typography>
      <Facts
        of={{
          reported_at: report.reported_at,
          claimed_by_admin_id: report.claimed_by_admin_id,
          claimed_at: report.claimed_at,
          resolved_by_admin_id: report.resolved_by_admin_id,
          resolved_at: report.resolved_at,
          public_comment: report.public_comment,
          report_id: report.report_id,
        }}
      />
    </>
  )
}

/** Who reported. The API leaves out what the reader may not see. */
export function Reporter({ report }: { readonly report: Report }) {
  const translate = useTranslate()
  return (
    <>
      <Facts
        of={{
          reporter_tag: report.reporter_tag,
          reporter_global_name: report.reporter_global_name,
          ...(report.reporter_email !== null && { reporter_email: report.reporter_email }),
          reporter_id: report.reporter_id,
          mutual_dm_channel_id: report.mutual_dm_channel_id,
        }}
      />
      {report.reporter_id !== null && (
        <Link to={userPath({ id: report.reporter_id })}>{translate('console.reports.open_reporter')}</Link>
      )}
    </>
  )
}

/** What else was reported of the same account or guild, the newest first. */
export function OtherReports({ report }: { readonly report: Report }) {
  const { reported_user_id: userId, reported_guild_id: guildId, report_id: id } = report
  const about = userId === null ? { reported_guild_id: guildId ?? '' } : { reported_user_id: userId }
  return <ReportsAbout about={about} without={id} />
}
