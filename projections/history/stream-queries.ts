import type { Queries } from '../../application/ports/database.ts'
import type {
  ChangedStream,
  HistoryQueries,
  StreamsFound,
  StreamsMeant,
} from '../../application/ports/queries/history-queries.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import { beforeAll } from '../../domain/kernel/position.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { StreamName } from '../../domain/streams.ts'

const foundRow = rowOf((row: StreamsFound) => row)
const changedRow = rowOf(
  ({ stream, position }: { readonly stream: StreamName; readonly position: string }): ChangedStream => ({
    stream,
    position: BigInt(position),
  }),
)

/** Queries for streams by what happened to them, answered by the index alone: no event is read. */
export function streamQueries(database: Queries): Pick<HistoryQueries, 'streamsByNewest' | 'changedStreams'> {
  return {
    streamsByNewest: (streams, { types, newest, time, after, limit }) =>
      database.one(sql.type(foundRow)`
        with last as (
          select distinct on (stream) stream, number, type from ${eventsUpTo(streams, time)} e
          where type = any(${sql.array([...types], 'text')}) order by stream, revision desc
        ), found as materialized (
          select stream, number from last where type = any(${sql.array([...newest], 'text')})
        )
        select (select count(*)::int4 from found) as total_count, array(
          select stream from found where ${after === undefined ? sql.fragment`true` : sql.fragment`number > ${after}`}
          order by number limit ${limit ?? null}) as streams`),
    changedStreams: (streams, { from, to, after = beforeAll }) =>
      database.any(sql.type(changedRow)`
        select stream, min(position)::text as position from ${eventsUpTo(streams, to)} e
        where ${from === undefined ? sql.fragment`true` : sql.fragment`at > ${from}`}
        group by stream having max(position) > ${after} order by min(position)`),
  }
}

/** The events of streams that are not after a time. */
function eventsUpTo(streams: StreamsMeant, time: Timestamp | undefined) {
  if (time === undefined) return sql.fragment`(${eventsOf(streams)})`
  return sql.fragment`(
    select * from (
      select *, bool_or(at > ${time}) over (partition by stream order by revision) as is_after from (${eventsOf(streams)}) o
    ) each_event where not is_after)`
}

/** The events of streams, each with the number in whose order its stream stands. */
function eventsOf(streams: StreamsMeant) {
  if ('beginning' in streams) {
    const { beginning } = streams
    return sql.fragment`
      select stream, revision, position, type, at, substr(stream, ${beginning.length + 1})::int8 as number
      from history.events where ${isWithin(beginning)}`
  }
  const { subject, category } = streams
  // Without the offset, Postgres may read all events to join them.
  return sql.fragment`
    select e.*, s.number from (
      select stream, min(position) as number from history.subjects join history.events using (position)
      where subject = ${subject} and ${isWithin(`${category}-`)} group by stream
    ) s cross join lateral (
      select stream, revision, position, type, at from history.events where stream = s.stream offset 0
    ) e`
}

/** Names are compared by their bytes, so what begins with the same ones stands together. */
function isWithin(beginning: string) {
  const last = beginning.length - 1
  const end = beginning.slice(0, last) + String.fromCodePoint((beginning.codePointAt(last) ?? 0) + 1)
  return sql.fragment`stream >= ${beginning} and stream < ${end}`
}
