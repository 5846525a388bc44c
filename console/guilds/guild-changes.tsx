import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { useRecordContext, useTranslate } from 'react-admin'
import { useSearchParams } from 'react-router-dom'
import { explanationPath } from '../history/event-columns.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { Rows } from '../parts/rows.tsx'
import { usePages } from '../parts/use-pages.ts'
import { userPath } from '../users/user-list.tsx'
import type { Guild } from './guild-list.tsx'
import { MomentChoice } from './guild-moment.tsx'

const day_ms = 86_400_000
const page = 200

/** What changed in a guild between two moments, in words. Both are in the address. */
export function Changes() {
  const translate = useTranslate()
  const guild = useRecordContext<Guild>()
  const [search, setSearch] = useSearchParams()
  const [now] = useState(() => Date.now())
  const created = guild?.created_at ?? new Date(now).toISOString()
  const dayAgo = Math.max(now - day_ms, Date.parse(created))
  const from = search.get('from') ?? new Date(dayAgo).toISOString()
  const to = search.get('to') ?? new Date(now).toISOString()
  const pages = usePages(
    'listHistoryGuildChanges',
    { path: { guild_id: guild?.id ?? '' }, query: { from, to, limit: page } },
    ({ changes }) => changes,
    ({ truncated }, rows) => (truncated ? { after: rows.at(-1)?.by.position } : undefined),
  )
  const choose = (chosen: object): void => setSearch({ from, to, ...chosen }, { replace: true })
  return (
    <>
      <Typography variant="body2">{translate('console.guilds.between')}</Typography>
      <MomentChoice from={created} at={from} onChoice={(chosen) => choose({ from: chosen })} />
      <MomentChoice from={created} at={to} onChoice={(chosen) => choose({ to: chosen })} />
      <Rows
        name="changes"
        {...pages}
        rows={pages.rows?.map((change, number) => ({ ...change, number }))}
        idOf={({ number }) => String(number)}
        columns={[
          { source: 'text', render: ({ text }) => <PlainText>{text}</PlainText> },
          { source: 'by.at' },
          {
            source: 'by.actor.account_id',
            link: ({ by }) => (by.actor.account_id === null ? undefined : userPath({ id: by.actor.account_id })),
          },
          { source: 'by.type', link: ({ by }) => explanationPath(by.event_id) },
          { source: 'by.reason' },
        ]}
      />
    </>
  )
}
