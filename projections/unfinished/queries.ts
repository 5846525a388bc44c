import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { UnfinishedQueries, UnfinishedStep } from '../../application/ports/queries/unfinished-queries.ts'
import { customCode } from '../../application/processes/managers/guilds.ts'
import { processNames } from '../../application/processes/process-managers.ts'
import type { StreamName } from '../../domain/streams.ts'
import { instantColumn } from '../columns.ts'

const stepRow = z
  .object({
    process: z.enum(processNames),
    key: z.string(),
    event_id: z.string(),
    correlation_id: z.string(),
    operation: z.string().nullable(),
    stream: z.custom<StreamName>((stream) => typeof stream === 'string'),
    since: instantColumn,
    data: z.record(z.string(), z.unknown()),
  })
  .transform((row): UnfinishedStep => ({
    process: row.process,
    key: row.key,
    eventId: row.event_id,
    correlationId: row.correlation_id,
    operation: row.operation ?? undefined,
    stream: row.stream,
    since: row.since,
    data: row.data,
  }))

const columns = sql.fragment`process, key, event_id, correlation_id, operation, stream, since, data`

/** A newer projector may already list the steps of a process that this version does not know. */
const isKnown = sql.fragment`process = any(${sql.array([...processNames], 'text')})`

/** The codes of claims that their guilds do not hold, or no longer hold, as the column `code`. */
export const openClaims = sql.fragment`
  select s.data->>'code' as code from unfinished.steps s where s.process = ${customCode.name}`

/** Queries over steps that are begun and not finished. */
export function unfinishedQueries(database: Queries): UnfinishedQueries {
  return {
    before: (instant, limit, after) =>
      after === undefined
        ? database.any(sql.type(stepRow)`
            select ${columns} from unfinished.steps where since < ${instant} and ${isKnown} order by since, process, key limit ${limit}`)
        : database.any(sql.type(stepRow)`
            select ${columns} from unfinished.steps
            where since < ${instant} and ${isKnown} and (since, process, key) > (${after.since}::timestamptz, ${after.process}, ${after.key})
            order by since, process, key limit ${limit}`),
    find: (process, key) =>
      database.maybeOne(sql.type(stepRow)`
        select ${columns} from unfinished.steps where process = ${process} and key = ${key}`),
  }
}
