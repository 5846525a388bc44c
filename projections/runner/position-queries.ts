import type { Piece, Queries } from '../../application/ports/database.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import { beforeAll } from '../../domain/kernel/position.ts'
import type { PositionQueries } from '../../application/ports/queries/position-queries.ts'
import type { Projection } from './projection.ts'

const heldRow = rowOf(({ position }: { readonly position: string | null }) => position)

/** The positions of some live read models, by their checkpoints. */
export function positionQueries(database: Queries, models: readonly Pick<Projection, 'name'>[]): PositionQueries {
  return {
    async held() {
      const held = await database.one(sql.type(heldRow)`select ${positionHeldBy(models)} as position`)
      return held === null ? beforeAll : BigInt(held)
    },
  }
}

/** The same as an expression, null before the first event. */
export function positionHeldBy(models: readonly Pick<Projection, 'name'>[]): Piece {
  const names = sql.array(
    models.map(({ name }) => name),
    'text',
  )
  return sql.fragment`(select min(position) from read_models.checkpoints where schema = any(${names}))`
}
