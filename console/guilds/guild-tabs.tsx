import { useRecordContext } from 'react-admin'
import { ReadingRows } from '../parts/reading-rows.tsx'
import { useReading } from '../parts/use-reading.ts'
import { userPath } from '../users/user-list.tsx'
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
      columns={[
        { source: 'action' },
        { source: 'actor_id', link: ({ actor_id: id }) => (id ? userPath({ id }) : undefined) },
        { source: 'target_id' },
        { source: 'reason' },
        { source: 'changes' },
      ]}
    />
  )
}

/** Reports about the guild, the newest first. */
export function Reports() {
  const reading = useReading('listReports', { query: { reported_guild_id: useGuildId(), limit: 100 } })
  return (
    <ReadingRows
      name="reports"
      reading={reading}
      rowsIn={({ reports }) => reports}
      idOf={({ report_id: id }) => id}
      columns={[
        { source: 'reported_at', link: ({ report_id: id }) => `/reports/${id}/show` },
        { source: 'report_type' },
        { source: 'category' },
        { source: 'status' },
        { source: 'additional_info' },
      ]}
    />
  )
}

/** Every stream of the guild. */
export function Streams() {
  const reading = useReading('listHistorySubjectStreams', { path: { subject: useGuildId() }, query: { limit: 200 } })
  return (
    <ReadingRows
      name="streams"
      reading={reading}
      rowsIn={(streams) => streams}
      idOf={({ stream }) => stream}
      columns={[
        { source: 'stream', link: ({ stream }) => `/history/streams/${encodeURIComponent(stream)}` },
        { source: 'first.at' },
        { source: 'newest.at' },
        { source: 'newest.type' },
      ]}
    />
  )
}
