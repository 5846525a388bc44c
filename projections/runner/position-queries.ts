import { z } from 'zod'
import { sql, type Queries } from '../../application/ports/database.js'
import { beforeAll } from '../../application/ports/event-store.js'
import type { PositionQueries } from '../../application/ports/queries/position-queries.js'

const heldRow = z.object({ position: z.coerce.bigint().nullable() })

/** How far the live read models are, by their checkpoints. */
export function positionQueries(database: Queries): PositionQueries {
  return {
    async held() {
      const rows = await database.any(sql.type(heldRow)`
        select min(position) as position from read_models.checkpoints where schema = name`)
      return rows[0]?.position ?? beforeAll
    },
  }
}
