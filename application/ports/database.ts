import type { QuerySqlToken, SqlToken } from 'slonik'

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
