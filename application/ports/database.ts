import { createSqlTag, type QuerySqlToken, type SqlToken } from 'slonik'

/**
 * Writes SQL as typed templates: sql.type(rowReader)`select ... where id = ${id}`. Values always travel as parameters
 * (docs/decisions/0164-slonik.md).
 */
export const sql = createSqlTag()

/** Turns a row into the result of a query: a zod schema, for rows that others wrote, or `rowOf`. */
export interface RowReader<Row> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (row: unknown) => Validated<Row> | Promise<Validated<Row>>
    readonly types?: { readonly input: unknown; readonly output: Row } | undefined
  }
}
type Validated<Row> =
  | { readonly value: Row; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] }

/** A statement with its values. One with an empty name is not kept by Postgres. */
export type Query<Row> = QuerySqlToken<RowReader<Row>>

/** A piece of SQL: a fragment, a list of values, or bytes. */
export type Piece = SqlToken

/** Typed queries. Snowflakes (int8) come as decimal strings, timestamps as ISO 8601 text. */
export interface Queries {
  /** All rows. */
  any<Row>(query: Query<Row>): Promise<readonly Row[]>
  /** The single row; undefined if there is none. Rejects if there are several. */
  maybeOne<Row>(query: Query<Row>): Promise<Row | undefined>
  /** The single row. Rejects if there are none or several. */
  one<Row>(query: Query<Row>): Promise<Row>
}

/**
 * Reads rows that only this product writes. The driver gives int8 and numeric as decimal strings, timestamps as ISO 8601 text.
 * The rows are not validated again.
 */
export function rowOf<Columns, Row>(read: (columns: Columns) => Row): RowReader<Row> {
  return { '~standard': { version: 1, vendor: 'guildhall', validate: (row) => ({ value: read(row as Columns) }) } }
}

/** The row as its reader reads it. Throws if it is not as the reader says. */
export function readRow<Row>(reader: RowReader<Row>, row: unknown): Row {
  const read = reader['~standard'].validate(row)
  if (read instanceof Promise) throw new TypeError('A row is read at once')
  if (read.issues) throw new Error(`A row is not as its reader says: ${JSON.stringify(read.issues)}`)
  return read.value
}

/**
 * The same statement without a name: Postgres plans it for its values, each time it runs. For one whose best plan depends on a
 * value, as a pattern's does.
 */
export function plannedForItsValues<Row>(query: Query<Row>): Query<Row> {
  return { ...query, name: '' }
}
