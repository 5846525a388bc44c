import Button from '@mui/material/Button'
import { SelectInput, TextInput, useTranslate } from 'react-admin'
import { Link, Navigate } from 'react-router-dom'
import { UndoButton } from '../acts/done.tsx'
import { explanationPath, streamPath } from '../history/event-columns.tsx'
import { Folded } from '../parts/folded.tsx'
import { MomentInput } from '../parts/moment-input.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { ResourceList } from '../parts/resource-list.tsx'
import { Table, type Column } from '../parts/table.tsx'
import { useAcls } from '../parts/use-acls.ts'
import { tagOf, userPath } from '../users/user-list.tsx'
import { AuditCheck } from './audit-check.tsx'
import type { AuditEntry } from './audit-data.ts'
import { AuditTabs } from './audit-tabs.tsx'

const choicesOf = (...ids: readonly string[]) => ids.map((id) => ({ id, name: `console.audit.${id}` }))

const filters = [
  <TextInput key="q" source="q" alwaysOn resettable label="console.audit.q" />,
  <SelectInput
    key="access"
    source="access"
    alwaysOn
    label="console.audit.access"
    choices={choicesOf('read', 'write')}
  />,
  <TextInput key="action" source="action" label="console.members.action" />,
  <TextInput key="admin_user_id" source="admin_user_id" label="console.audit.admin_user_id" />,
  <TextInput key="target_type" source="target_type" label="console.members.target_type" />,
  <TextInput key="target_id" source="target_id" label="console.audit.target_id" />,
  <MomentInput key="since" source="since" label="console.history.since" />,
  <MomentInput key="until" source="until" label="console.history.until" />,
  <SelectInput
    key="sort_by"
    source="sort_by"
    label="console.audit.sort_by"
    choices={choicesOf('createdAt', 'relevance')}
  />,
  <SelectInput
    key="sort_order"
    source="sort_order"
    label="console.audit.sort_order"
    choices={choicesOf('desc', 'asc')}
  />,
]

/** What each entry of the admin audit log is shown as. */
export const auditColumns: readonly Column<AuditEntry>[] = [
  { source: 'created_at' },
  { source: 'action', link: ({ log_id: id }) => explanationPath(id) },
  {
    source: 'admin_user',
    render: ({ admin_user: admin, admin_user_id: id }) => (admin ? tagOf(admin) : nameless(id)),
    link: ({ admin_user: admin }) => (admin ? userPath(admin) : undefined),
  },
  {
    source: 'target_id',
    render: (entry) => <PlainText>{`${entry.target_type.replaceAll('_', ' ')} ${targetName(entry)}`}</PlainText>,
    link: targetPath,
  },
  { source: 'audit_log_reason', render: ({ audit_log_reason: reason }) => <PlainText>{reason}</PlainText> },
  { source: 'metadata', render: (entry) => <Folded of={entry} without={['id']} /> },
  { source: 'acts', render: (entry) => <Ways of={entry} /> },
]

/** What administrators did, with the way to what followed and the way back. */
export function AuditList() {
  const { isKnown, may } = useAcls()
  if (isKnown && !may('listAdminAuditLogEntries')) return <Navigate to="/audit/guilds" replace />
  return (
    <>
      <AuditTabs at="/audit" />
      {may('checkAdminAuditLog') && <AuditCheck />}
      <ResourceList filters={filters} perPage={50} title="console.views.audit">
        <Table columns={auditColumns} rowClick={false} />
      </ResourceList>
    </>
  )
}

function Ways({ of: { log_id: id, access } }: { readonly of: AuditEntry }) {
  const translate = useTranslate()
  const { may } = useAcls()
  return (
    <>
      {may('explainHistory') && (
        <Button component={Link} to={explanationPath(id)}>
          {translate('console.acts.explain')}
        </Button>
      )}
      {access === 'write' && <UndoButton entry={id} />}
    </>
  )
}

/** The command line acts without an account: its entries have 0 for one. */
function nameless(id: string) {
  return id === '0' ? '–' : id
}

function targetName({ target_id: id, target_user: user, target_guild: guild, target_channel: channel }: AuditEntry) {
  if (user) return tagOf(user)
  return guild?.name ?? channel?.name ?? (id === '0' ? '' : id)
}

/** Where the target of an entry has a page. */
function targetPath({ target_type: type, target_id: id, target_user: user, target_channel: channel }: AuditEntry) {
  if (id === '0') return undefined
  if (user || type === 'user') return userPath({ id })
  if (type === 'guild' || type === 'history_guild') return `/guilds/${id}/show`
  if (type === 'report') return `/reports/${id}/show`
  if (type === 'history_stream') return streamPath(id)
  if (type === 'history_chain') return explanationPath(id)
  return channel ? `/guilds/${channel.guild_id}/show` : undefined
}
