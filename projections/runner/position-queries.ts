import { rowOf, sql, type Queries } from '../../application/ports/database.js'
import { beforeAll } from '../../application/ports/event-store.js'
import type { PositionQueries } from '../../application/ports/queries/position-queries.js'
import type { Projection } from './projection.js'

const heldRow = rowOf(({ position }: { readonly position: string | null }) => position)

/** The positions of some live read models, by their checkpoints. */
export function positionQueries(database: Queries, models: readonly Pick<Projection, 'name'>[]): PositionQueries {
  const names = sql.array(
    models.map(({ name }) => name),
    'text',
  )
  return {
    async held() {
      const rows = await database.any(sql.type(heldRow)`
        select min(position) as position from read_models.checkpoints where schema = any(${names})`)
      const held = rows[0] ?? null
      return held === null ? beforeAll : BigInt(held)
    },
  }
}
