import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Rows } from '../parts/rows.tsx'
import { eventColumns } from './event-columns.tsx'
import { rows_max, useLiveEvents } from './use-live-events.ts'

/** The events that match as they are written, the newest first. A pause keeps what is shown, and goes on after it. */
export function LiveEvents({ filter }: { readonly filter: Readonly<Record<string, unknown>> }) {
  const translate = useTranslate()
  const [isPaused, setPaused] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const { events, error, isFollowing } = useLiveEvents(filter, isPaused, attempt)
  return (
    <section aria-label={translate('console.history.live')}>
      <Button variant="outlined" onClick={() => setPaused(!isPaused)} sx={{ marginInline: 1 }}>
        {translate(isPaused ? 'console.history.go_on' : 'console.history.pause')}
      </Button>
      <Typography component="span" variant="body2" role="status">
        {translate(stateOf(isPaused, isFollowing), { count: rows_max })}
      </Typography>
      <FailureNotice error={error} retry={() => setAttempt(attempt + 1)} />
      <Rows name="live-events" rows={events} idOf={({ event_id: id }) => id} columns={eventColumns} />
    </section>
  )
}

function stateOf(isPaused: boolean, isFollowing: boolean): string {
  if (isPaused) return 'console.history.paused'
  return isFollowing ? 'console.history.follows' : 'console.say.loading'
}
