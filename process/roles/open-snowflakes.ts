import { openRisingSnowflakes } from '../../adapters/ids/rising-snowflakes.ts'
import type { SnowflakeGenerator } from '../../adapters/ids/snowflake-generator.ts'
import type { OpenMessages } from '../../adapters/messages/open-messages.ts'
import { highestId } from '../../projections/highest-ids/queries.ts'
import type { Base } from './base.ts'

/** The only source of new ids in a process: two would make the same ids. */
export async function openSnowflakes(
  { closings, database, onError, options: { logger } }: Base,
  workerId: () => number,
  messages: Pick<OpenMessages, 'newestId'>,
): Promise<SnowflakeGenerator> {
  const found = await Promise.all([highestId(database), messages.newestId()])
  const rising = await openRisingSnowflakes({
    database,
    workerId,
    known: found.flatMap((id) => id ?? []),
    onBehind: (behind_ms) => {
      logger.warn(
        { behind_s: Math.round(behind_ms / 1000) },
        'the clock is behind the newest id: new ids keep to that one until the clock has caught up; set the clock right',
      )
    },
    onError,
  })
  closings.add(() => rising.close())
  return rising.snowflakes
}
