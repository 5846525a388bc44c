import type { Queries } from '../../application/ports/database.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type {
  EventFilter,
  EventPage,
  HistoryQueries,
  IndexedEvent,
} from '../../application/ports/queries/history-queries.ts'
import { streamQueries } from './stream-queries.ts'
import { categories } from '../../domain/aggregates.ts'
import { beforeAll, type Position, type Revision } from '../../domain/kernel/position.ts'
import type { EntryId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { streamName, type StreamName } from '../../domain/streams.ts'

interface EventColumns {
  readonly position: string
  readonly event_id: string
  readonly stream: StreamName
  readonly revision: Revision
  readonly type: string
  readonly at: Timestamp
  readonly actor: string
  readonly correlation_id: string
  readonly causation_id: string
  readonly entry_id: EntryId | null
}

const eventOf = (row: EventColumns): IndexedEvent => ({
  position: BigInt(row.position),
  eventId: row.event_id,
  stream: row.stream,
  revision: row.revision,
  type: row.type,
  at: row.at,
  actor: row.actor,
  correlationId: row.correlation_id,
  causationId: row.causation_id,
  entryId: row.entry_id,
})
const eventRow = rowOf(eventOf)

interface StreamColumns {
  readonly stream: StreamName
  readonly named: string
  readonly first: EventColumns
  readonly newest: EventColumns
}

const streamRow = rowOf(({ stream, named, first, newest }: StreamColumns) => ({
  stream,
  named: BigInt(named),
  first: eventOf(first),
  newest: eventOf(newest),
}))

const placeRow = rowOf(({ position, stream, revision }: Pick<EventColumns, 'position' | 'stream' | 'revision'>) => ({
  position: BigInt(position),
  stream,
  revision,
}))
const requestRow = rowOf(({ correlation_id: id }: { readonly correlation_id: string }) => id)

const columns = sql.fragment`position, event_id, stream, revision, type, at, actor, correlation_id, causation_id, entry_id`

/** The same columns as JSON, in which ids and instants are texts. */
const asJson = sql.fragment`json_build_object(
  'position', position::text, 'event_id', event_id, 'stream', stream, 'revision', revision, 'type', type,
  'at', to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'actor', actor,
  'correlation_id', correlation_id, 'causation_id', causation_id, 'entry_id', entry_id::text)`

/** Queries over the index of all events. */
export function historyQueries(database: Queries, readModelsOf: HistoryQueries['readModelsOf']): HistoryQueries {
  return {
    search: (filter, page) =>
      database.any(sql.type(eventRow)`
        select ${columns} from history.events where ${wanted(filter)} and ${inPage(page)} limit ${page.limit}`),
    find: (eventId) =>
      database.maybeOne(sql.type(eventRow)`
        select ${columns} from history.events where event_id = ${eventId} limit 1`),
    newestOf: (stream, types) =>
      database.maybeOne(sql.type(eventRow)`
        select ${columns} from history.events where stream = ${stream} and type = any(${sql.array([...types], 'text')})
        order by revision desc limit 1`),
    ofCorrelation: (correlationId, limit) =>
      database.any(sql.type(eventRow)`
        select ${columns} from history.events where correlation_id = ${correlationId} order by position limit ${limit}`),
    requestsOf: (clientRequestId, limit) =>
      database.any(sql.type(requestRow)`
        select correlation_id from history.requests where client_request_id = ${clientRequestId}
        order by position desc limit ${limit}`),
    ofEntry: (entryId, limit) =>
      database.any(sql.type(eventRow)`
        select ${columns} from history.events where entry_id = ${entryId} order by position limit ${limit}`),
    readModelsOf,
    streamsOf: (subject, after, limit) =>
      database.any(sql.type(streamRow)`
        select s.stream, s.position::text as named,
          (select ${asJson} from history.events e where e.stream = s.stream order by e.revision limit 1) as first,
          (select ${asJson} from history.events e where e.stream = s.stream order by e.revision desc limit 1) as newest
        from (${namings(subject, after, limit)}) s order by s.position limit ${limit}`),
    ...streamQueries(database),
    personalOf: (holder, page) =>
      database.any(sql.type(placeRow)`
        select position, e.stream, e.revision from history.personal p join history.events e using (position)
        where p.holder = ${holder} and ${inPage(page)} limit ${page.limit}`),
  }
}

/** How many requests with the same id of their clients are searched at most: the newest. */
const requests_max = 1000
/** How many events may stand between two whose times and positions are in different orders: clocks of processes differ. */
const outOfOrder_max = 1000

function wanted({ types, actor, request, since, until }: EventFilter) {
  const conditions = [
    ...(types === undefined ? [] : [sql.fragment`type = any(${sql.array([...types], 'text')})`]),
    ...(actor === undefined ? [] : [sql.fragment`actor = ${actor}`]),
    ...(request === undefined ? [] : [sql.fragment`correlation_id = any(${requestsNamed(request)})`]),
    ...(since === undefined ? [] : [sql.fragment`at >= ${since}`, sql.fragment`position >= ${startOf(since)}`]),
    ...(until === undefined ? [] : [sql.fragment`at < ${until}`, sql.fragment`position <= ${endBefore(until)}`]),
  ]
  return conditions.length === 0 ? sql.fragment`true` : sql.join(conditions, sql.fragment` and `)
}

/** The correlation ids of what is asked for by either id. */
function requestsNamed(id: string) {
  return sql.fragment`array(select ${id}::text union
    (select correlation_id from history.requests where client_request_id = ${id} order by position desc limit ${requests_max}))`
}

/** Where streams are named: the first event of each that has an id in its name, and those that name it after a position. */
function namings(subject: string, after: Position, limit: number) {
  const streams = categories.map((category) => streamName(category, subject))
  return sql.fragment`
    select stream, position from history.events
    where stream = any(${sql.array(streams, 'text')}) and revision = 0 and position > ${after}
    union all
    (select e.stream, s.position from history.subjects s join history.events e using (position)
    where s.subject = ${subject} and s.position > ${after} order by s.position limit ${limit})`
}

/** Positions grow with time but for the order of a few, so a time bounds what has to be read by position. */
function startOf(since: Timestamp) {
  return sql.fragment`(select coalesce(min(position), 0) from (
    select position from history.events where position < ${turnTo(since)} order by position desc limit ${outOfOrder_max}) before)`
}

function endBefore(until: Timestamp) {
  return sql.fragment`(select coalesce(max(position), 9223372036854775807) from (
    select position from history.events where position >= ${turnTo(until)} order by position limit ${outOfOrder_max}) later)`
}

/**
 * A position at which an event of this time or later follows one before it, or the end. It is found by halving, without an index of
 * times: everything up to `low` begins before the time, and the first event from `high` on does not.
 */
function turnTo(time: Timestamp) {
  return sql.fragment`(
    with recursive halves (low, high) as (
      select ${beforeAll}::int8, coalesce((select max(position) from history.events), ${beforeAll}) + 1
      union all
      select
        case when e.at < ${time} then e.position else low end,
        case when e.at < ${time} then high else low + (high - low) / 2 end
      from halves cross join lateral (
        select position, at from history.events where position >= low + (high - low) / 2 order by position limit 1) e
      where high - low > 1
    )
    select min(high) from halves)`
}

function inPage({ order, from }: EventPage) {
  if (order === 'oldest') return sql.fragment`position > ${from ?? beforeAll} order by position`
  return from === undefined
    ? sql.fragment`true order by position desc`
    : sql.fragment`position < ${from} order by position desc`
}
