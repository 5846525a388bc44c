import { createSqlTag, type QuerySqlToken } from '@slonik/sql-tag'
import type { z } from 'zod'

/**
 * Writes SQL as typed templates: sql.type(rowSchema)`select ... where id = ${id}`. Values always travel as parameters; rows
 * are parsed with the zod schema (docs/decisions/0003-sql.md).
 */
export const sql = createSqlTag({})

/** Typed queries. Snowflakes (int8) come as decimal strings, timestamps as ISO 8601 text. */
export interface Queries {
  /** Every row. */
  any<Row extends z.ZodType>(query: QuerySqlToken<Row>): Promise<readonly z.output<Row>[]>
  /** The one row, or undefined where there is none. Rejects where there are several. */
  maybeOne<Row extends z.ZodType>(query: QuerySqlToken<Row>): Promise<z.output<Row> | undefined>
  /** The one row. Rejects where there is none, or several. */
  one<Row extends z.ZodType>(query: QuerySqlToken<Row>): Promise<z.output<Row>>
}
