import { z } from 'zod'
import { sql, type Queries } from '../../application/ports/database.js'
import type { MessageId } from '../../domain/ids/ids.js'
import { snowflakeMax, snowflakeMs } from '../../domain/ids/snowflake.js'
import { lowestIdAt } from './message-rows.js'

/** The parts of the table, a month each in UTC. */
export interface Months {
  /** Makes sure that there is a part for a message. Costs a round trip once a month and process. */
  lay(message: MessageId): Promise<void>
  /** Makes sure of it once more, and that every connection looks for the parts anew. */
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
      // Changes nothing, but what every connection has remembered of the table is void.
      await database.any(sql.type(nothing)`alter table messages.messages alter column id set statistics -1`)
    },
  }
}

/** The month that a message's id falls into: ids from `low` on, below `high`. */
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
