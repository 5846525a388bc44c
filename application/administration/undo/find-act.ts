import { entryId, type AccountId, type EntryId } from '../../../domain/ids/ids.ts'
import { parseSnowflake } from '../../../domain/ids/snowflake.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { categoryOf, type StreamName } from '../../../domain/streams.ts'
import type { Ports } from '../../ports.ts'
import type { RecordedEvent } from '../../ports/event-store.ts'
import type { AdminAuditQueries, AdminAuditRecord } from '../../ports/queries/admin-audit-queries.ts'
import type { HistoryQueries, IndexedEvent } from '../../ports/queries/history-queries.ts'

/** An act of an administrator, as its entry in the admin audit log names it or, where it leaves none, one of its events. */
export interface Act {
  /** Its action in the log; the type of its event where it leaves no entry. */
  readonly name: string
  /** Null where it leaves no entry. */
  readonly entryId: EntryId | null
  readonly adminId: AccountId | null
  readonly target: { readonly type: string; readonly id: string }
  /** When it was recorded; null where it leaves no entry. */
  readonly at: Timestamp | null
  /** The streams that it changed, each once. */
  readonly streams: readonly StreamName[]
  /** Whether an event of theirs is its own. */
  readonly isOwn: (recorded: RecordedEvent) => boolean
  /** Whether an event is that of an earlier try of the request which takes the act back: it stands in nobody's way. */
  readonly isUndone: (recorded: RecordedEvent) => boolean
}

type NamedAct = Omit<Act, 'isUndone'>

/** More than one request changes streams. */
const events_max = 25_000

export interface FindActNeeds {
  readonly events: Pick<Ports['events'], 'eventAt'>
  readonly queries: {
    readonly adminAudit: Pick<AdminAuditQueries, 'find'>
    readonly history: Pick<HistoryQueries, 'find' | 'ofCorrelation' | 'ofEntry'>
  }
}

/**
 * The act that an id names: that of an entry of the admin audit log, or of an event, which may have an entry too. Undefined if there is
 * neither.
 */
export async function findAct(ports: FindActNeeds, id: string): Promise<NamedAct | undefined> {
  const entry = parseSnowflake(id)
  if (entry.ok) return actOfEntry(ports, entryId(entry.id))
  const event = await ports.queries.history.find(id)
  if (!event) return undefined
  return event.entryId === null ? actOfEvent(event) : actOfEntry(ports, event.entryId)
}

async function actOfEntry({ queries, events }: FindActNeeds, id: EntryId): Promise<NamedAct | undefined> {
  const indexed = await queries.history.ofEntry(id, events_max)
  const found = (await queries.adminAudit.find(id)) ?? (await interrupted(events, id, indexed))
  if (!found) return undefined
  const { action: name, adminId, targetType: type, targetId } = found
  const entry = { name, entryId: id, adminId, target: { type, id: targetId }, at: found.createdAt }
  const record = indexed.find(({ type: of }) => of === 'AdminActionRecorded')
  if (type === 'job' && record) return { ...entry, ...(await doneByJob(queries.history, record.correlationId)) }
  const isOwn = ({ metadata: { adminAction } }: RecordedEvent): boolean => adminAction?.entryId === id
  return { ...entry, streams: streamsOf(indexed), isOwn }
}

/** An act whose entry is not written yet: its events say as much. */
async function interrupted(
  events: FindActNeeds['events'],
  id: EntryId,
  [first]: readonly IndexedEvent[],
): Promise<Pick<AdminAuditRecord, 'action' | 'adminId' | 'createdAt' | 'targetId' | 'targetType'> | undefined> {
  const event = first && (await events.eventAt(first.stream, first.revision))
  const action = event?.metadata.adminAction
  if (!first || action?.entryId !== id) return undefined
  const { adminId, target } = action
  return { action: action.action, adminId, targetType: target.type, targetId: target.id, createdAt: first.at }
}

/** What a job did belongs to the request that ordered it, and not to its entry. */
async function doneByJob(history: FindActNeeds['queries']['history'], correlationId: string) {
  const indexed = await history.ofCorrelation(correlationId, events_max)
  const isOwn = ({ metadata }: RecordedEvent): boolean => metadata.correlationId === correlationId
  return { streams: streamsOf(indexed), isOwn }
}

function actOfEvent({ type, causationId, stream }: IndexedEvent): NamedAct {
  return {
    name: type,
    entryId: null,
    adminId: null,
    at: null,
    target: { type: categoryOf(stream) ?? '', id: '0' },
    streams: [stream],
    isOwn: ({ metadata }) => metadata.causationId === causationId,
  }
}

/** Those of the log itself are no change. */
function streamsOf(indexed: readonly IndexedEvent[]): readonly StreamName[] {
  return [...new Set(indexed.map(({ stream }) => stream))].filter((stream) => categoryOf(stream) !== 'admin_audit')
}
