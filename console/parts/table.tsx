import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import type { ReactNode } from 'react'
import { DataTable, useTranslate, type DataTableProps, type RaRecord } from 'react-admin'
import { Link as RouterLink } from 'react-router-dom'
import { Value } from './facts.tsx'

/** One column of a table. */
export interface Column<Row> {
  /** The member of a row, whose name in the texts (`console.members`) is the column's. */
  readonly source: string
  /** What stands in a cell; the member's value if absent. */
  readonly render?: (row: Row) => ReactNode
  /** Where a cell leads. */
  readonly link?: (row: Row) => string | undefined
  /** Whether the list can be sorted by it. */
  readonly isSortable?: boolean
}

type Props<Row> = Omit<DataTableProps, 'children' | 'bulkActionButtons'> & { readonly columns: readonly Column<Row>[] }

/** The table of a list. Where it is wider than the page, it is moved sideways by itself. */
export function Table<Row extends object>({ columns, ...props }: Props<Row>) {
  const translate = useTranslate()
  return (
    // Who has no mouse moves it sideways by the arrow keys.
    <Box role="region" aria-label={translate('console.say.table')} tabIndex={0} sx={{ overflowX: 'auto' }}>
      <DataTable
        {...props}
        bulkActionButtons={false}
        sx={{
          '& td': { maxWidth: '28rem', minWidth: '6rem', overflowWrap: 'anywhere' },
        }}
      >
        {columns.map(({ source, render, link, isSortable }) => (
          <DataTable.Col
            key={source}
            source={source}
            label={translate(`console.members.${source}`, { _: source.replaceAll('_', ' ') })}
            disableSort={isSortable !== true}
            render={(row: RaRecord & Row) => {
              const shown = render ? render(row) : <Value of={memberOf(row, source)} />
              const to = link?.(row)
              return to === undefined ? (
                shown
              ) : (
                <Link component={RouterLink} to={to}>
                  {shown}
                </Link>
              )
            }}
          />
        ))}
      </DataTable>
    </Box>
  )
}

function memberOf(row: object, source: string): unknown {
  return source.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], row)
}
