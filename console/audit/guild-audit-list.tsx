import { SelectInput, TextInput } from 'react-admin'
import { operationOf } from '../api/operations.ts'
import { Folded } from '../parts/folded.tsx'
import { MomentInput } from '../parts/moment-input.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { ResourceList } from '../parts/resource-list.tsx'
import { Table, type Column } from '../parts/table.tsx'
import { userPath } from '../users/user-list.tsx'
import type { GuildAuditEntry } from './audit-data.ts'
import { AuditTabs } from './audit-tabs.tsx'

const actions = operationOf('listHistoryGuildAuditLogEntries').choices?.['action'] ?? []

const filters = [
  <TextInput key="guild_id" source="guild_id" alwaysOn resettable label="console.audit.guild_id" />,
  <SelectInput
    key="action"
    source="action"
    alwaysOn
    label="console.members.action"
    choices={actions.map((id) => ({ id, name: id }))}
    translateChoice={false}
  />,
  <TextInput key="actor" source="actor" label="console.history.actor" />,
  <TextInput key="target" source="target" label="console.audit.target_id" />,
  <MomentInput key="since" source="since" label="console.history.since" />,
  <MomentInput key="until" source="until" label="console.history.until" />,
]

/** What each entry of a guild's audit log is shown as. */
export const guildAuditColumns: readonly Column<GuildAuditEntry>[] = [
  { source: 'at' },
  { source: 'action' },
  { source: 'actor_id', link: ({ actor_id: id }) => (id === null ? undefined : userPath({ id })) },
  { source: 'target_id' },
  { source: 'reason', render: ({ reason }) => <PlainText>{reason}</PlainText> },
  { source: 'changes', render: (entry) => <Folded of={entry} /> },
]

/** The audit log of one guild, which the filter names. */
export function GuildAuditList() {
  return (
    <>
      <AuditTabs at="/audit/guilds" />
      <ResourceList resource="guild-audit" filters={filters} perPage={50} title="console.audit.of_a_guild">
        <Table columns={guildAuditColumns} rowClick={false} />
      </ResourceList>
    </>
  )
}
