import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { MessageId } from '../../domain/ids/ids.ts'
import { snowflakeMax, snowflakeMs } from '../../domain/ids/snowflake.ts'
import { lowestIdAt } from './message-rows.ts'

/** The partitions of the table, one for each month in UTC. */
export interface Months {
  /** Makes sure that there is a partition for a message. Costs one round trip for each month and process. */
  lay(message: MessageId): Promise<void>
  /** Makes sure again, and makes every connection look up the partitions again. */
  layAnew(message: MessageId): Promise<void>
}

const nothing = z.object({})

interface Month {
  readonly name: string
  readonly low: string
  readonly high: string
}

export function monthsIn(database: Queries): Months {
  const laid = new Set<string>()
  async function lay({ name, low, high }: Month): Promise<void> {
    await database.any(sql.type(nothing)`select messages.lay_month(${name}, ${low}, ${high})`)
    laid.add(name)
  }
  return {
    async lay(message) {
      const month = monthOf(message)
      if (!laid.has(month.name)) await lay(month)
    },
    async layAnew(message) {
      await lay(monthOf(message))
      // Changes nothing, but invalidates what every connection has cached about the table.
      await database.any(sql.type(nothing)`alter table messages.messages alter column id set statistics -1`)
    },
  }
}

/** The month of a message's id: ids from `low` on, below `high`. */
function monthOf(message: MessageId): Month {
  const at = new Date(snowflakeMs(message))
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  const high = BigInt(lowestIdAt(Date.UTC(year, month + 1)))
  return {
    name: `m_${year}_${(month + 1).toString().padStart(2, '0')}`,
    low: lowestIdAt(Date.UTC(year, month)),
    high: (high > snowflakeMax ? snowflakeMax : high).toString(),
  }
}
