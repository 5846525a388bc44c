import type { Query } from '../ports/database.ts'

/**
 * The same statement without a name: Postgres plans it for its values, each time it runs. For one whose best plan depends on a
 * value, as a pattern's does.
 */
export function plannedForItsValues<Row>(query: Query<Row>): Query<Row> {
  return { ...query, name: '' }
}
