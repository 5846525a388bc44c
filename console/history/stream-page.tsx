import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { useParams, useSearchParams } from 'react-router-dom'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Folded } from '../parts/folded.tsx'
import { Page } from '../parts/page.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { ReadingRows } from '../parts/reading-rows.tsx'
import { useReading } from '../parts/use-reading.ts'
import { causeColumns, explanationPath } from './event-columns.tsx'
import type { HistoryEvent } from './events-data.ts'
import { RevealButton } from './reveal-button.tsx'
import { StreamMoments } from './stream-moments.tsx'
import { StreamState, type StreamHistory } from './stream-state.tsx'

/** How many events of a stream are shown at a time. */
const page = 50

/** The history of one stream: its state at a moment or what changed between two, and its events. All of it is in the address. */
export function StreamPage() {
  const translate = useTranslate()
  const { stream = '' } = useParams()
  const [search] = useSearchParams()
  const [isRevealed, setRevealed] = useState(false)
  const asked = Object.fromEntries(['at', 'from', 'to'].map((name) => [name, search.get(name) ?? undefined]))
  const { data, error, refetch } = useReading(
    'getHistoryStream',
    { path: { stream }, query: { ...asked, ...(isRevealed && { reveal: true }) } },
    { isOnce: isRevealed },
  )
  return (
    <Page title={translate('console.history.stream_of', { stream })}>
      <Typography component="h2" variant="h6">
        <PlainText>{stream}</PlainText>
      </Typography>
      <StreamMoments key={search.toString()} />
      {!isRevealed && <RevealButton onReveal={() => setRevealed(true)} />}
      <FailureNotice error={error} retry={() => void refetch()} />
      {data ? <StreamState of={data} /> : !error && <p>{translate('console.say.loading')}</p>}
      <Events stream={stream} isRevealed={isRevealed} shown={data} />
    </Page>
  )
}

interface EventsProps {
  readonly stream: string
  readonly isRevealed: boolean
  readonly shown: StreamHistory | undefined
}

/** A page of the events, around the newest that is shown above where the address says nothing. */
function Events({ stream, isRevealed, shown }: EventsProps) {
  const translate = useTranslate()
  const [search, setSearch] = useSearchParams()
  const after = Math.max(-1, Number(search.get('after') ?? (shown?.to.revision ?? 0) - page))
  const reading = useReading(
    'listHistoryStreamEvents',
    { path: { stream }, query: { after, limit: page, ...(isRevealed && { reveal: true }) } },
    { enabled: shown !== undefined, isOnce: isRevealed },
  )
  const turnTo = (next: number): void =>
    setSearch((before) => ({ ...Object.fromEntries(before), after: String(Math.max(-1, next)) }))
  if (!shown) return null
  return (
    <>
      <Typography component="h2" variant="h6" sx={{ marginTop: 2 }}>
        {translate('console.history.events')}
      </Typography>
      {after > -1 && <Button onClick={() => turnTo(after - page)}>{translate('console.history.earlier')}</Button>}
      {reading.data?.length === page && (
        <Button onClick={() => turnTo(after + page)}>{translate('console.history.later')}</Button>
      )}
      <ReadingRows
        name="events"
        reading={reading}
        rowsIn={(events) => events.toReversed()}
        idOf={({ event_id: id }) => id}
        columns={[
          { source: 'revision' },
          { source: 'at' },
          { source: 'type', link: ({ event_id: id }) => explanationPath(id) },
          ...causeColumns,
          { source: 'data', render: ({ data }) => <Folded of={data} /> },
          { source: 'moments', render: (event) => <ToMoments of={event} /> },
        ]}
      />
    </>
  )
}

/** Chooses the state after an event, or what it changed. */
function ToMoments({ of: { revision } }: { readonly of: HistoryEvent }) {
  const translate = useTranslate()
  const [search, setSearch] = useSearchParams()
  const choose = (chosen: Readonly<Record<string, string>>): void => {
    const after = search.get('after')
    setSearch({ ...chosen, ...(after !== null && { after }) })
    globalThis.scrollTo({ top: 0 })
  }
  const change = { ...(revision > 0 && { from: String(revision - 1) }), to: String(revision) }
  return (
    <>
      <Button
        size="small"
        onClick={() => choose({ at: String(revision) })}
        aria-label={translate('console.history.state_at', { revision })}
      >
        {translate('console.history.state')}
      </Button>
      <Button
        size="small"
        onClick={() => choose(change)}
        aria-label={translate('console.history.change_at', { revision })}
      >
        {translate('console.history.change')}
      </Button>
    </>
  )
}
