import type { ClientBase, Pool } from 'pg'
import { z } from 'zod'
import type { Projection } from '../projection.ts'
import { quoted } from './table-columns.ts'

/** A row that differs between two copies of a table, as the text of a JSON object; null if a copy has no row with its key. */
export interface RowDifference {
  readonly table: string
  readonly left: string | null
  readonly right: string | null
}

export const differences_max = 100

const differenceRow = z.object({ left: z.string().nullable(), right: z.string().nullable() })

/**
 * Compares every table of a read model in two schemas, row by row and by key. Gives the first `differences_max` differences of
 * each table, and none if all rows are equal.
 */
export async function compareSchemas(
  client: Pool | ClientBase,
  { keys }: Pick<Projection, 'keys'>,
  left: string,
  right: string,
): Promise<readonly RowDifference[]> {
  const differences: RowDifference[] = []
  for (const [table, key] of Object.entries(keys)) {
    const sameKey = key.map((column) => `left_row.${quoted(column)} = right_row.${quoted(column)}`).join(' and ')
    // As jsonb, because two tables have two row types, and json columns have no equality.
    const { rows } = await client.query(
      `select to_jsonb(left_row)::text as left, to_jsonb(right_row)::text as right
       from ${quoted(left)}.${quoted(table)} left_row full join ${quoted(right)}.${quoted(table)} right_row on ${sameKey}
       where to_jsonb(left_row) is distinct from to_jsonb(right_row) limit ${differences_max}`,
    )
    for (const difference of z.array(differenceRow).parse(rows)) differences.push({ table, ...difference })
  }
  return differences
}
