import type { PostgresDatabase } from '../../adapters/postgres/database.ts'
import { snowflakeMs } from '../../domain/ids/snowflake.ts'
import { highestId } from '../../projections/highest-ids/queries.ts'
import { readModels } from '../../projections/read-models.ts'
import { parkedCounts } from '../../projections/runner/parked.ts'
import { liveCheckpoints } from '../../projections/runner/registry.ts'
import { bad, checked, type Finding } from './finding.ts'

/** A clock that is further behind makes ids that are not of their time. */
const behind_ms_max = 60_000

/**
 * What may be wrong with the history of an instance while it is served: streams that read models have stopped, and ids that are ahead
 * of the clock. Reads what Postgres holds, once its tables are there, and changes nothing.
 */
export async function checksOfHistory(database: PostgresDatabase): Promise<readonly Finding[]> {
  return [
    ...(await checked('read models', 'Run: guildhall replay', () => checkParked(database))),
    ...(await checked('clock', 'Set it right', () => checkNewestId(database))),
  ]
}

async function checkParked({ pool }: PostgresDatabase): Promise<readonly Finding[]> {
  const advice = 'The log of the server says why (StreamParked); see docs/operating.md'
  const parked = await parkedCounts(pool)
  return readModels.flatMap(({ name }) => {
    const streams = parked.get(name)
    return streams === undefined ? [] : [bad('read models', `${name} has stopped ${streams} streams`, advice)]
  })
}

async function checkNewestId(database: PostgresDatabase): Promise<readonly Finding[]> {
  // Ids stand in the read models.
  if ((await liveCheckpoints(database.pool)).length === 0) return []
  const newest = await highestId(database)
  const behind_ms = newest === undefined ? 0 : snowflakeMs(newest) - Date.now()
  if (behind_ms <= behind_ms_max) return []
  const text = `it is ${Math.round(behind_ms / 1000)} s behind the newest id`
  return [bad('clock', text, 'Set it right; until then new ids keep to that one')]
}
