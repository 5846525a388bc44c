import Box from '@mui/material/Box'
import LinearProgress from '@mui/material/LinearProgress'
import { useTranslate } from 'react-admin'
import { ActButtons } from '../acts/act-buttons.tsx'
import type { ReplyOf } from '../api/call.ts'
import { ChoiceFilter, useAddressFilter } from '../parts/address-filters.tsx'
import { ReadingRows } from '../parts/reading-rows.tsx'
import { Rows } from '../parts/rows.tsx'
import type { Column } from '../parts/table.tsx'
import { usePages } from '../parts/use-pages.ts'
import { useReading } from '../parts/use-reading.ts'
import { userPath } from '../users/user-list.tsx'
import { Heading } from './heading.tsx'

type Job = ReplyOf<'listBackgroundJobs'>['jobs'][number]

const refreshed_ms = 3000
const page = 50
const statuses = [
  'queued',
  'running',
  'succeeded',
  'cancelled',
  'deadletter',
] as const satisfies readonly Job['status'][]

/** The jobs that are at work, as far as they have come, and below them those of the last days. */
export function Jobs() {
  return (
    <>
      <Heading name="active_jobs" />
      <Active />
      <Heading name="all_jobs" />
      <All />
    </>
  )
}

function Active() {
  const reading = useReading('listActiveBackgroundJobs', {}, { every_ms: refreshed_ms })
  return (
    <ReadingRows
      name="active_jobs"
      reading={reading}
      rowsIn={({ jobs }) => jobs}
      idOf={({ job_id: id }) => id}
      columns={[
        ...common,
        { source: 'started_at' },
        {
          source: 'acts',
          render: ({ job_id: id, cancel_requested: isCancelled }) =>
            !isCancelled && <ActButtons acts={[{ id: 'cancelBackgroundJob', path: { job_id: id } }]} />,
        },
      ]}
    />
  )
}

/** Jobs by status, which stands in the address. */
function All() {
  const translate = useTranslate()
  const [chosen] = useAddressFilter('status')
  const status = statuses.find((one) => one === chosen)
  const pages = usePages(
    'listBackgroundJobs',
    { query: { status, limit: page, max_lookback_days: 60 } },
    ({ jobs }) => jobs,
    ({ next_cursor: cursor }) =>
      cursor === null
        ? undefined
        : {
            cursor_bucket_day: cursor.bucket_day,
            cursor_created_at: cursor.created_at,
            cursor_job_id: cursor.job_id,
          },
  )
  return (
    <>
      <ChoiceFilter
        name="status"
        label={translate('console.members.status')}
        choices={statuses}
        of={(one) => translate(`console.instance.job_${one}`)}
      />
      <Rows
        name="jobs"
        {...pages}
        idOf={({ job_id: id }) => id}
        columns={[...common, { source: 'completed_at' }, { source: 'error_message' }, { source: 'result' }]}
      />
    </>
  )
}

const common: readonly Column<Job>[] = [
  { source: 'task_type' },
  { source: 'status', render: ({ status }) => <Status of={status} /> },
  { source: 'progress', render: (job) => <Progress of={job} /> },
  { source: 'created_at' },
  {
    source: 'requested_by_user_id',
    link: ({ requested_by_user_id: id }) => (id === null ? undefined : userPath({ id })),
  },
  { source: 'audit_log_reason' },
  { source: 'attempts' },
  { source: 'job_id' },
]

function Status({ of }: { readonly of: Job['status'] }) {
  return useTranslate()(`console.instance.job_${of}`)
}

/** How far a job has come: a bar where it is counted, one that only moves where it is at work and is not. */
function Progress({ of }: { readonly of: Job }) {
  const translate = useTranslate()
  const { progress_current: done, progress_total: total, progress_message: message, status, job_id: id } = of
  const label = `${translate('console.members.progress')} ${id}`
  const isCounted = done !== null && total !== null && total > 0
  if (!isCounted) return status === 'running' ? <LinearProgress aria-label={label} /> : <span>{message ?? '–'}</span>
  return (
    <Box sx={{ minWidth: '8rem' }}>
      <LinearProgress variant="determinate" value={Math.min(100, (done / total) * 100)} aria-label={label} />
      {done} / {total}
      {message !== null && ` · ${message}`}
    </Box>
  )
}
