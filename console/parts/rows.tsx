import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import {
  ListContextProvider,
  Pagination,
  ResourceContextProvider,
  useList,
  useTranslate,
  type RaRecord,
} from 'react-admin'
import { exported } from './exported.ts'
import { NamedExportButton } from './export-button.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { Table, type Column } from './table.tsx'

interface Props<Row> {
  /** Its name in the file that it is exported as. */
  readonly name: string
  readonly rows: readonly Row[] | undefined
  readonly idOf: (row: Row) => string
  readonly columns: readonly Column<Row>[]
  readonly error?: unknown
  readonly isPending?: boolean
  readonly retry?: () => void
  /** Reads what comes after these rows, where there is more. */
  readonly more?: () => void
}

/** Rows that an operation gave at once, as a table with pages and an export as CSV. */
export function Rows<Row extends object>({ name, rows, idOf, columns, error, isPending, retry, more }: Props<Row>) {
  const translate = useTranslate()
  const data = (rows ?? []).map((row): RaRecord & Row => ({ ...row, id: idOf(row) }))
  const list = useList<RaRecord & Row>({ data, isPending: isPending === true, perPage: 25, resource: name })
  if (error) return <FailureNotice error={error} retry={retry} />
  if (isPending !== true && data.length === 0) return <p>{translate('console.say.none')}</p>
  return (
    <ResourceContextProvider value={name}>
      <ListContextProvider value={{ ...list, exporter: exported }}>
        <Box sx={{ display: 'flex', justifyContent: 'flex-end' }}>
          <NamedExportButton />
        </Box>
        <Table columns={columns} rowClick={false} />
        {data.length > 25 && <Pagination />}
        {more && <Button onClick={more}>{translate('console.say.more')}</Button>}
      </ListContextProvider>
    </ResourceContextProvider>
  )
}
