import type { BlocklistEntryEvent, EntryDetails } from '../../domain/blocklist-entry/events.ts'
import { add, patch, projection, put, remove, type Row, type RowChange } from '../runner/projection.ts'

/** `changes` has one row. */
const changesId = 1
const changed: RowChange = add('changes', { id: changesId }, { count: 1 })

/** The entries of the blocklists, and the number of changes. */
export const blocklistsProjection = projection<BlocklistEntryEvent>({
  name: 'blocklists',
  answers: 'What is listed, and how often that changed.',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { entries: ['entry_id'], changes: ['id'] },
  on: {
    BlocklistEntryAdded: ({ data }) => [
      put('entries', {
        entry_id: data.entryId,
        list: data.list,
        scope: data.scope,
        value: data.value,
        ...detailColumns(data.details),
        added_by: data.addedBy,
        added_at: data.addedAt,
      }),
      changed,
    ],
    BlocklistEntryChanged: ({ data }) => [
      patch('entries', { entry_id: data.entryId }, detailColumns(data.changes)),
      changed,
    ],
    BlocklistEntryRemoved: ({ data }) => [remove('entries', { entry_id: data.entryId }), changed],
  },
})

const columns: Readonly<Record<keyof EntryDetails, string>> = {
  category: 'category',
  severity: 'severity',
  matchSubdomains: 'match_subdomains',
  sourceUrl: 'source_url',
  notes: 'notes',
  contentType: 'content_type',
  reason: 'reason',
}

function detailColumns(details: Partial<EntryDetails>): Row {
  const names = new Map<string, string>(Object.entries(columns))
  return Object.fromEntries(Object.entries(details).map(([member, value]) => [names.get(member) ?? member, value]))
}
