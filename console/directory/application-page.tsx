import Grid from '@mui/material/Grid'
import { Show, useRecordContext, useTranslate } from 'react-admin'
import { useNavigate } from 'react-router-dom'
import { useOpenAct, type Act } from '../acts/act.ts'
import { guildPath } from '../guilds/guild-list.tsx'
import { Age } from '../parts/age.tsx'
import { Facts } from '../parts/facts.tsx'
import { Keys, type Key } from '../parts/keys.tsx'
import { Part } from '../parts/part.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { Rows } from '../parts/rows.tsx'
import { useAcls } from '../parts/use-acls.ts'
import { useNeighbours } from '../parts/use-neighbours.ts'
import { ReportsAbout } from '../reports/reports-about.tsx'
import type { QueuedApplication } from './directory-data.ts'
import { applicationPath, usualQueue } from './queue-list.tsx'

/** One application to the directory after the other, and the decision. */
export function ApplicationPage() {
  return (
    // What is decided leaves the queue: the reader is on the way to the next one then, and is not led away.
    <Show title={<ApplicationTitle />} actions={false} component="div" queryOptions={{ onError: () => undefined }}>
      <Reading />
    </Show>
  )
}

function ApplicationTitle() {
  const application = useRecordContext<QueuedApplication>()
  return application ? <PlainText>{application.guild_name}</PlainText> : null
}

function Reading() {
  const application = useRecordContext<QueuedApplication>()
  const { may } = useAcls()
  if (!application) return null
  const { earlier_decisions: decisions, changed_since_approval: changes, ...about } = application
  return (
    <>
      <ApplicationKeys application={application} />
      <Grid container spacing={2} key={application.guild_id}>
        <Grid size={{ xs: 12, md: 6 }}>
          <Part title="console.directory.about">
            <p>
              <Age at={application.applied_at} />
            </p>
            <Facts of={about} without={['id', 'guild_icon', 'waiting_seconds']} />
          </Part>
        </Grid>
        <Grid size={{ xs: 12, md: 6 }}>
          <Part title="console.directory.earlier">
            <Rows
              name="decisions"
              rows={decisions}
              idOf={({ decided_at: at }) => at}
              columns={[{ source: 'kind' }, { source: 'reason' }, { source: 'decided_at' }]}
            />
            {changes !== null && <Facts of={{ changed_since_approval: changes }} />}
          </Part>
        </Grid>
        {may('listReports') && (
          <Grid size={12}>
            <Part title="console.directory.reports">
              <ReportsAbout about={{ reported_guild_id: application.guild_id }} />
            </Part>
          </Grid>
        )}
      </Grid>
    </>
  )
}

/** The same keys as for reports: `a` claims, `r` rejects; `y` approves. */
function ApplicationKeys({ application }: { readonly application: QueuedApplication }) {
  const translate = useTranslate()
  const navigate = useNavigate()
  const open = useOpenAct()
  const { may } = useAcls()
  const { guild_id: id, claim } = application
  const { previous, next } = useNeighbours({ resource: 'directory', id, usual: usualQueue, path: applicationPath })
  const path = { guild_id: id }
  const doing = (act: Act) => (may(act.id) ? () => open(act) : undefined)
  const deciding = (status: string) =>
    doing({ id: 'reviewDiscoveryApplication', path, fixed: { status }, onDone: next })
  const keys: readonly Key[] = [
    { key: 'j', says: 'console.keys.next', does: next },
    { key: 'k', says: 'console.keys.previous', does: previous },
    claim?.is_own === true
      ? {
          key: 'a',
          says: 'console.operations.releaseDiscoveryApplication',
          does: doing({ id: 'releaseDiscoveryApplication', path }),
        }
      : {
          key: 'a',
          says: 'console.operations.claimDiscoveryApplication',
          does: doing({ id: 'claimDiscoveryApplication', path }),
        },
    { key: 'y', says: 'console.directory.approve', does: deciding('approved') },
    { key: 'r', says: 'console.directory.reject', does: deciding('rejected') },
    {
      key: 'o',
      says: 'console.directory.open',
      does: may('getAdminGuild') ? () => void navigate(guildPath({ id })) : undefined,
    },
  ]
  return <Keys keys={keys} label={translate('console.directory.keys')} />
}
