import Alert from '@mui/material/Alert'
import { lazy, Suspense } from 'react'
import { useTranslate } from 'react-admin'
import type { ReplyOf } from '../api/call.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { streamPath } from '../history/event-columns.tsx'
import { Rows } from '../parts/rows.tsx'
import { useAcls } from '../parts/use-acls.ts'
import { useReading } from '../parts/use-reading.ts'
import { Heading } from './heading.tsx'

type State = ReplyOf<'getInstanceStatus'>

const refreshed_ms = 5000
/** Charts are loaded when they are looked at. */
const Charts = lazy(async () => ({ default: (await import('./charts.tsx')).Charts }))

/** How the instance is right now: its processes, its read models, and charts of what the process that answers counts. */
export function Status() {
  const translate = useTranslate()
  const { data, error, refetch } = useReading('getInstanceStatus', {}, { every_ms: refreshed_ms })
  if (error) return <FailureNotice error={error} retry={() => void refetch()} />
  if (!data) return <p>{translate('console.say.loading')}</p>
  return (
    <>
      <Health of={data} />
      <Heading name="processes" />
      <Rows
        name="processes"
        rows={data.processes.map((each) => ({ ...each, answers: each.id === data.process_id }))}
        idOf={({ id }) => id}
        columns={[
          { source: 'roles' },
          { source: 'version' },
          { source: 'since' },
          { source: 'worker_id' },
          { source: 'answers' },
          { source: 'id' },
        ]}
      />
      <Heading name="charts" />
      <Suspense fallback={<p>{translate('console.say.loading')}</p>}>
        <Charts />
      </Suspense>
      <Heading name="read_models" />
      <p>{translate('console.instance.end', { end: data.end ?? '–' })}</p>
      <Rows
        name="read_models"
        rows={data.read_models}
        idOf={({ name }) => name}
        columns={[
          { source: 'name' },
          { source: 'lag_events_max' },
          { source: 'parked_streams' },
          { source: 'position' },
          { source: 'version' },
          { source: 'declared_version' },
        ]}
      />
      {data.parked.length > 0 && <Parked streams={data.parked} />}
    </>
  )
}

/** Streams of which read models take nothing, each with the event that stopped it. */
function Parked({ streams }: { readonly streams: State['parked'] }) {
  const { may } = useAcls()
  return (
    <>
      <Heading name="parked" />
      <Rows
        name="parked"
        rows={streams}
        idOf={({ read_model: model, stream }) => `${model} ${stream}`}
        columns={[
          { source: 'read_model' },
          { source: 'stream', link: ({ stream }) => (may('getHistoryStream') ? streamPath(stream) : undefined) },
          { source: 'event_type' },
          { source: 'position' },
          { source: 'cause' },
          { source: 'event_id' },
        ]}
      />
    </>
  )
}

function Health({ of: { ready, missing, without, read_models: models } }: { readonly of: State }) {
  const translate = useTranslate()
  const parked = models.filter(({ parked_streams: count }) => count > 0).map(({ name }) => name)
  return (
    <>
      <Alert severity={ready ? 'success' : 'error'} role="status">
        {ready
          ? translate('console.instance.is_ready')
          : translate('console.instance.is_not_ready', { parts: missing.join(', ') })}
      </Alert>
      {without.length > 0 && (
        <Alert severity="warning">{translate('console.instance.is_without', { parts: without.join(', ') })}</Alert>
      )}
      {parked.length > 0 && (
        <Alert severity="warning">{translate('console.instance.is_parked', { parts: parked.join(', ') })}</Alert>
      )}
    </>
  )
}
