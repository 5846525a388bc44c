import { useRecordContext } from 'react-admin'
import { guildAuditColumns } from '../audit/guild-audit-list.tsx'
import { SubjectStreams } from '../history/subject-streams.tsx'
import { ReadingRows } from '../parts/reading-rows.tsx'
import { useReading } from '../parts/use-reading.ts'
import { ReportsAbout } from '../reports/reports-about.tsx'
import type { Guild } from './guild-list.tsx'

function useGuildId(): string {
  return useRecordContext<Guild>()?.id ?? ''
}

/** The guild's own audit log. */
export function Entries() {
  const reading = useReading('listHistoryGuildAuditLogEntries', {
    path: { guild_id: useGuildId() },
    query: { limit: 100 },
  })
  return (
    <ReadingRows
      name="entries"
      reading={reading}
      rowsIn={(entries) => entries}
      idOf={({ id }) => id}
      columns={guildAuditColumns}
    />
  )
}

/** Reports about the guild. */
export function Reports() {
  return <ReportsAbout about={{ reported_guild_id: useGuildId() }} />
}

/** Every stream of the guild. */
export function Streams() {
  return <SubjectStreams subject={useGuildId()} />
}
