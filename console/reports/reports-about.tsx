import type { Input } from '../api/call.ts'
import { ReadingRows } from '../parts/reading-rows.tsx'
import { useReading } from '../parts/use-reading.ts'
import { reportColumns } from './report-list.tsx'

interface Props {
  /** What they are about, as the filters of List reports have it. */
  readonly about: Input<'listReports'>['query']
  /** The id of a report that is left out. */
  readonly without?: string
}

/** The reports about one thing. */
export function ReportsAbout({ about, without }: Props) {
  const reading = useReading('listReports', { query: { ...about, limit: 100 } })
  return (
    <ReadingRows
      name="reports"
      reading={reading}
      rowsIn={({ reports }) => reports.filter(({ report_id: id }) => id !== without)}
      idOf={({ report_id: id }) => id}
      columns={reportColumns.map(({ isSortable: _, ...column }) => column)}
    />
  )
}
