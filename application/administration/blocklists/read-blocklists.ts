import {
  blocks,
  type Blocklist,
  type EntryCategory,
  type ProfileScope,
  type Severity,
} from '../../../domain/blocklist-entry/lists.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { holds } from '../../../domain/network-ban/state.ts'
import type { Caller } from '../../caller.ts'
import type { BlocklistRecord, EntryPage } from '../../ports/queries/blocklist-queries.ts'
import type { Ports } from '../../ports.ts'
import { entryIdsOf, shownValue } from '../../content-rules/entry-ids.ts'
import type { ListedValues } from './change-blocklists.ts'

type Needs = Pick<Ports, 'blocklistBox' | 'queries'>

/** An entry as administrators see it. */
export interface BlocklistEntryObject {
  readonly list_type: Blocklist
  readonly value: string
  readonly scope: ProfileScope | null
  readonly category: EntryCategory
  readonly severity: Severity
  readonly source_url: string | null
  readonly notes: string | null
  readonly content_type: string | null
  readonly match_subdomains: boolean
  readonly reason: string | null
  /** No entry expires. */
  readonly expires_at: null
  readonly created_at: Timestamp
  readonly created_by_user_id: AccountId | null
}

export interface EntriesObject {
  readonly items: readonly BlocklistEntryObject[]
  readonly has_more: boolean
  readonly next_after: string | null
}

/** A page of a list's entries, newest first. */
export function listBlocklistEntries(ports: Needs) {
  return async (page: EntryPage): Promise<EntriesObject> => {
    const found = await ports.queries.blocklists.page({ ...page, limit: page.limit + 1 })
    const shown = found.slice(0, page.limit)
    const last = shown.at(-1)
    const hasMore = found.length > shown.length
    return {
      items: shown.map((record) => objectOf(ports, record)),
      has_more: hasMore,
      next_after: hasMore && last ? `${last.addedAt}_${last.entryId}` : null,
    }
  }
}

/**
 * Whether an entry blocks a value, in the named scope or in any. An address is also blocked if its network is banned without an
 * entry.
 */
export function checkBlocklist(ports: Needs & Pick<Ports, 'aggregates'>) {
  return async (
    { context }: Pick<Caller, 'context'>,
    { list, scope, values }: ListedValues,
  ): Promise<{ readonly banned: boolean }> => {
    const ids = values.flatMap((value) => entryIdsOf(ports, list, scope, value))
    const found = await ports.queries.blocklists.findMany(ids)
    if (found.some(({ details }) => blocks(details.severity))) return { banned: true }
    if (list !== 'ip') return { banned: false }
    const bans = await Promise.all(values.map(({ key }) => ports.aggregates.networkBan.load(key)))
    return { banned: bans.some(({ state }) => state.status === 'banned' && holds(state, context.now)) }
  }
}

function objectOf({ blocklistBox }: Pick<Needs, 'blocklistBox'>, record: BlocklistRecord): BlocklistEntryObject {
  const { list, entryId, details } = record
  return {
    list_type: list,
    value: shownValue(blocklistBox, list, entryId, record.value),
    scope: record.scope,
    category: details.category,
    severity: details.severity,
    source_url: details.sourceUrl,
    notes: details.notes,
    content_type: details.contentType,
    match_subdomains: details.matchSubdomains,
    reason: details.reason,
    expires_at: null,
    created_at: record.addedAt,
    created_by_user_id: record.addedBy,
  }
}
