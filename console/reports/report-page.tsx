import Grid from '@mui/material/Grid'
import { Show, useRecordContext, useTranslate } from 'react-admin'
import { useNavigate } from 'react-router-dom'
import { useOpenAct, type Act } from '../acts/act.ts'
import { guildPath } from '../guilds/guild-list.tsx'
import { Keys, type Key } from '../parts/keys.tsx'
import { Part } from '../parts/part.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { useAcls } from '../parts/use-acls.ts'
import { useNeighbours } from '../parts/use-neighbours.ts'
import { userPath } from '../users/user-list.tsx'
import { AboutReport, OtherReports, Reporter } from './about-report.tsx'
import { Messages } from './reported-messages.tsx'
import { ReportedGuild, ReportedUser } from './reported-now.tsx'
import { reportPath, subjectOf, usualList, type Report } from './report-list.tsx'

/** One report after the other: what was reported beside what is there now, and the decision. */
export function ReportPage() {
  return (
    <Show title={<ReportTitle />} actions={false} component="div">
      <Reading />
    </Show>
  )
}

function ReportTitle() {
  const report = useRecordContext<Report>()
  return report ? <PlainText>{subjectOf(report)}</PlainText> : null
}

function Reading() {
  const report = useRecordContext<Report>()
  // What comes from the list is shown by React-admin until the report itself is read, and lacks its messages.
  if (report?.message_context === undefined) return null
  const { reported_user_id: userId, reported_guild_id: guildId, report_id: id } = report
  return (
    <>
      <ReportKeys report={report} />
      <Grid container spacing={2} sx={{ '& > *': { minWidth: 0 } }} key={id}>
        <Grid size={{ xs: 12, md: 6 }}>
          <Part title="console.reports.about">
            <AboutReport report={report} />
          </Part>
        </Grid>
        <Grid size={{ xs: 12, md: 6 }}>
          <Part title="console.reports.reporter">
            <Reporter report={report} />
          </Part>
        </Grid>
        {report.reported_message_id !== null && (
          <Grid size={12}>
            <Part title="console.reports.messages">
              <Messages report={report} />
            </Part>
          </Grid>
        )}
        {userId !== null && (
          <Grid size={{ xs: 12, md: guildId === null ? 12 : 6 }}>
            <Part title="console.reports.account">
              <ReportedUser report={report} id={userId} />
            </Part>
          </Grid>
        )}
        {guildId !== null && (
          <Grid size={{ xs: 12, md: userId === null ? 12 : 6 }}>
            <Part title="console.reports.guild">
              <ReportedGuild report={report} id={guildId} />
            </Part>
          </Grid>
        )}
        <Grid size={12}>
          <Part title="console.reports.others">
            <OtherReports report={report} />
          </Part>
        </Grid>
      </Grid>
    </>
  )
}

function ReportKeys({ report }: { readonly report: Report }) {
  const translate = useTranslate()
  const navigate = useNavigate()
  const open = useOpenAct()
  const { may } = useAcls()
  const { report_id: id, reported_user_id: userId, reported_guild_id: guildId } = report
  const { previous, next } = useNeighbours({
    resource: 'reports',
    id,
    usual: usualList,
    path: (other) => reportPath({ report_id: other }),
  })
  const isPending = report.resolved_at === null
  const doing = (act: Act) => (isPending && may(act.id) ? () => open(act) : undefined)
  const path = { report_id: id }
  const isClaimed = report.claimed_by_admin_id !== null
  const subject = userId === null ? guildId && guildPath({ id: guildId }) : userPath({ id: userId })
  const keys: readonly Key[] = [
    { key: 'j', says: 'console.keys.next', does: next },
    { key: 'k', says: 'console.keys.previous', does: previous },
    isClaimed
      ? { key: 'a', says: 'console.operations.releaseReport', does: doing({ id: 'releaseReport', path }) }
      : { key: 'a', says: 'console.operations.claimReport', does: doing({ id: 'claimReport', path }) },
    {
      key: 'r',
      says: 'console.operations.updateReport',
      does: doing({ id: 'updateReport', path, fixed: { status: 'resolved' }, onDone: next }),
    },
    { key: 'o', says: 'console.reports.open', does: subject === null ? undefined : () => void navigate(subject) },
  ]
  return <Keys keys={keys} label={translate('console.reports.keys')} />
}
