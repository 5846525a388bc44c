import Box from '@mui/material/Box'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { useTranslate } from 'react-admin'
import { Value } from './facts.tsx'

/** A member of something, as it was and as it is. */
export interface Compared {
  readonly name: string
  readonly was: unknown
  readonly now: unknown
}

interface Props {
  readonly label: string
  readonly rows: readonly Compared[]
  /** Whether it is known how it is now. */
  readonly isKnown: boolean
}

/** What something was beside what it is now. What differs is marked, not by colour alone. */
export function ComparedTable({ label, rows, isKnown }: Props) {
  const translate = useTranslate()
  return (
    <Box tabIndex={0} role="region" aria-label={label} sx={{ overflowX: 'auto' }}>
      <Table size="small">
        <TableHead>
          <TableRow>
            <TableCell>{translate('console.compared.what')}</TableCell>
            <TableCell>{translate('console.compared.was')}</TableCell>
            <TableCell>{translate('console.compared.now')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(({ name, was, now }) => {
            const isChanged = isKnown && (was ?? null) !== (now ?? null)
            return (
              <TableRow key={name}>
                <TableCell component="th" scope="row">
                  {translate(`console.members.${name}`, { _: name.replaceAll('_', ' ') })}
                </TableCell>
                <TableCell sx={cell}>
                  <Value of={was} />
                </TableCell>
                <TableCell sx={{ ...cell, ...(isChanged && { fontWeight: 'bold' }) }}>
                  {isKnown && <Value of={now} />}
                  {isChanged && ` (${translate('console.compared.changed')})`}
                </TableCell>
              </TableRow>
            )
          })}
        </TableBody>
      </Table>
    </Box>
  )
}

const cell = { minWidth: '7rem', maxWidth: '22rem', overflowWrap: 'anywhere' }
