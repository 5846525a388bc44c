import type { RowReader } from '../ports/database.ts'

/** The row as its reader reads it. Throws if it is not as the reader says. */
export function readRow<Row>(reader: RowReader<Row>, row: unknown): Row {
  const read = reader['~standard'].validate(row)
  if (read instanceof Promise) throw new TypeError('A row is read at once')
  if (read.issues) throw new Error(`A row is not as its reader says: ${JSON.stringify(read.issues)}`)
  return read.value
}
