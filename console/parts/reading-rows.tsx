import type { UseQueryResult } from '@tanstack/react-query'
import { Rows } from './rows.tsx'
import type { Column } from './table.tsx'

interface Props<Reply, Row> {
  readonly name: string
  readonly reading: UseQueryResult<Reply>
  readonly rowsIn: (reply: Reply) => readonly Row[]
  readonly idOf: (row: Row) => string
  readonly columns: readonly Column<Row>[]
}

/** The rows in the answer of an operation, once it is there; or why it was refused. */
export function ReadingRows<Reply, Row extends object>({ reading, rowsIn, ...props }: Props<Reply, Row>) {
  const { data, error, isPending, refetch } = reading
  return (
    <Rows
      {...props}
      rows={data === undefined ? undefined : rowsIn(data)}
      error={error}
      isPending={isPending}
      retry={() => void refetch()}
    />
  )
}
