import Slider from '@mui/material/Slider'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useEffect, useState } from 'react'
import { useLocale, useRecordContext, useTranslate } from 'react-admin'
import { useSearchParams } from 'react-router-dom'
import { ActButtons } from '../acts/act-buttons.tsx'
import type { ReplyOf } from '../api/call.ts'
import { Facts } from '../parts/facts.tsx'
import { Folded } from '../parts/folded.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Rows } from '../parts/rows.tsx'
import { useReading } from '../parts/use-reading.ts'
import { userPath } from '../users/user-list.tsx'
import type { Guild } from './guild-list.tsx'

type PastGuild = ReplyOf<'getHistoryGuild'>

/** How long the slider rests before the guild of its moment is read. */
const rest_ms = 300

/** The guild as it was at a moment, which a slider over its history chooses, and the way back to it. The moment is in the address. */
export function Moment() {
  const translate = useTranslate()
  const guild = useRecordContext<Guild>()
  const [search, setSearch] = useSearchParams()
  const [now] = useState(() => new Date().toISOString())
  const at = search.get('at') ?? now
  const { data, error, refetch } = useReading(
    'getHistoryGuild',
    { path: { guild_id: guild?.id ?? '' }, query: { at, limit: 200 } },
    { enabled: guild !== undefined },
  )
  if (!guild) return null
  return (
    <>
      <MomentChoice
        from={guild.created_at}
        at={at}
        onChoice={(chosen) => setSearch({ at: chosen }, { replace: true })}
      />
      <ActButtons acts={[{ id: 'rewindGuild', path: { guild_id: guild.id }, fixed: { to: at } }]} />
      <FailureNotice error={error} retry={() => void refetch()} />
      {data && <Past of={data} />}
      {!data && !error && <p>{translate('console.say.loading')}</p>}
    </>
  )
}

interface Choice {
  readonly from: string
  readonly at: string
  readonly onChoice: (at: string) => void
}

/** A slider over the time since `from`, and an input for the exact time. */
export function MomentChoice({ from, at, onChoice }: Choice) {
  const translate = useTranslate()
  const locale = useLocale() ?? 'en'
  const [chosen, setChosen] = useState(Date.parse(at))
  const shown = (time: number): string =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(time)
  useEffect(() => {
    const time = new Date(chosen).toISOString()
    if (time === at) return undefined
    const timer = setTimeout(() => onChoice(time), rest_ms)
    return () => clearTimeout(timer)
  }, [chosen, at, onChoice])
  return (
    <Stack
      direction={{ xs: 'column', sm: 'row' }}
      sx={{ gap: 3, alignItems: 'center', marginBlock: 2, paddingInline: 1 }}
    >
      <Slider
        aria-label={translate('console.guilds.moment')}
        min={Date.parse(from)}
        max={Date.now()}
        step={1000}
        value={chosen}
        onChange={(_, value) => setChosen(value as number)}
        getAriaValueText={shown}
        valueLabelDisplay="auto"
        valueLabelFormat={shown}
      />
      <TextField
        type="datetime-local"
        size="small"
        label={translate('console.guilds.moment')}
        value={localTime(chosen)}
        onChange={({ target }) => target.value !== '' && setChosen(Date.parse(target.value))}
        slotProps={{ htmlInput: { step: 1 }, inputLabel: { shrink: true } }}
        sx={{ width: { xs: '100%', sm: 'auto' }, minWidth: { sm: '14rem' } }}
      />
    </Stack>
  )
}

/** As an input of the type datetime-local takes it: without a zone, in the reader's. */
function localTime(time: number): string {
  const offset_ms = new Date(time).getTimezoneOffset() * 60_000
  return new Date(time - offset_ms).toISOString().slice(0, 19)
}

function Past({ of }: { readonly of: PastGuild }) {
  const { roles, channels, members, bans, invites, left_out: leftOut, ...facts } = of
  return (
    <>
      <Facts of={facts} />
      <Part name="roles" rows={roles as readonly Named[]} />
      <Part name="channels" rows={channels as readonly Named[]} />
      <Heading name="members" count={of.member_count} />
      <Rows
        name="members"
        rows={members}
        idOf={({ account_id: id }) => id}
        columns={[
          { source: 'account_id', link: ({ account_id: id }) => userPath({ id }) },
          { source: 'nick' },
          { source: 'joined_at' },
        ]}
      />
      <Heading name="bans" count={bans.length} />
      <Rows
        name="bans"
        rows={bans}
        idOf={({ account_id: id }) => id}
        columns={[
          { source: 'account_id', link: ({ account_id: id }) => userPath({ id }) },
          { source: 'moderator_id', link: ({ moderator_id: id }) => userPath({ id }) },
          { source: 'reason' },
          { source: 'banned_at' },
          { source: 'expires_at' },
        ]}
      />
      <Heading name="invites" count={invites.length} />
      <Rows
        name="invites"
        rows={invites}
        idOf={({ code }) => code}
        columns={[{ source: 'code' }, { source: 'state' }]}
      />
      {leftOut.length > 0 && <LeftOut />}
    </>
  )
}

interface Named {
  readonly id: string
  readonly name: string
}

function Part({ name, rows }: { readonly name: string; readonly rows: readonly Named[] }) {
  return (
    <>
      <Heading name={name} count={rows.length} />
      <Rows
        name={name}
        rows={rows}
        idOf={({ id }) => id}
        columns={[
          { source: 'name' },
          { source: 'id' },
          { source: 'state', render: (row) => <Folded of={row} without={['id', 'name']} /> },
        ]}
      />
    </>
  )
}

function Heading({ name, count }: { readonly name: string; readonly count: number }) {
  const translate = useTranslate()
  return (
    <Typography component="h2" variant="h6" sx={{ marginTop: 2 }}>
      {translate(`console.guilds.${name}`)} ({count})
    </Typography>
  )
}

function LeftOut() {
  const translate = useTranslate()
  return <p>{translate('console.guilds.left_out')}</p>
}
