import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useTranslate } from 'react-admin'
import { Link as RouterLink } from 'react-router-dom'
import type { ReplyOf } from '../api/call.ts'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { Rows } from '../parts/rows.tsx'
import { actorPath, actorText, explanationPath } from './event-columns.tsx'
import type { HistoryEvent } from './events-data.ts'

/** What a stream was at a moment, or what changed in it between two. */
export type StreamHistory = ReplyOf<'getHistoryStream'>

/** The state of a stream, or the differences between two states, each with the event that made it. */
export function StreamState({
  of: { from, to, state, differences, left_out: leftOut },
}: {
  readonly of: StreamHistory
}) {
  const translate = useTranslate()
  return (
    <section aria-label={translate('console.history.state')}>
      <Typography component="h2" variant="h6">
        {translate(differences ? 'console.history.differences' : 'console.history.state')}
      </Typography>
      {from && <EventLine of={from} />}
      <EventLine of={to} />
      {differences === null && (isMembers(state) ? <Facts of={state} /> : <Facts of={{ state }} />)}
      {leftOut.length > 0 && (
        <p>
          {translate('console.history.left_out')} <PlainText>{leftOut.join(', ')}</PlainText>
        </p>
      )}
      {differences && (
        <Rows
          name="differences"
          rows={differences}
          idOf={({ path }) => path}
          columns={[
            { source: 'path' },
            { source: 'before' },
            { source: 'after' },
            { source: 'by.at' },
            { source: 'by.type', link: ({ by }) => explanationPath(by.event_id) },
            { source: 'by.actor', render: ({ by }) => actorText(by.actor), link: ({ by }) => actorPath(by.actor) },
            { source: 'by.reason', render: ({ by }) => <PlainText>{by.reason}</PlainText> },
          ]}
        />
      )}
    </section>
  )
}

function isMembers(state: unknown): state is object {
  return typeof state === 'object' && state !== null && !Array.isArray(state)
}

/** One event in a line: its number, what and when it was, and the way to its chain. */
function EventLine({ of: { revision, type, at, event_id: id } }: { readonly of: HistoryEvent }) {
  return (
    <Typography variant="body2">
      {revision} ·{' '}
      <Link component={RouterLink} to={explanationPath(id)}>
        {type}
      </Link>{' '}
      · <Moment at={at} />
    </Typography>
  )
}
