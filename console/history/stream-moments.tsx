import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import type { SubmitEvent } from 'react'
import { useTranslate } from 'react-admin'
import { useSearchParams } from 'react-router-dom'

const names = ['at', 'from', 'to'] as const

/** Asks for one moment of a stream, or for two: each the number of an event or a time. They stand in the address. */
export function StreamMoments() {
  const translate = useTranslate()
  const [search, setSearch] = useSearchParams()
  const choose = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const chosen = names.map((name): [string, string] => [name, momentOf(form.get(name))])
    setSearch(Object.fromEntries(chosen.filter(([, moment]) => moment !== '')))
  }
  return (
    <Stack
      component="form"
      onSubmit={choose}
      direction={{ xs: 'column', sm: 'row' }}
      sx={{ gap: 1, marginBlock: 1, alignItems: { sm: 'flex-start' } }}
    >
      {names.map((name) => (
        <TextField
          key={name}
          name={name}
          size="small"
          label={translate(`console.history.moment_${name}`)}
          defaultValue={search.get(name) ?? ''}
          helperText={name === 'at' ? translate('console.history.moment_help') : undefined}
        />
      ))}
      <Button type="submit" variant="outlined">
        {translate('console.history.show')}
      </Button>
    </Stack>
  )
}

/** A number of an event stays as it is, and so does what the server is to refuse. */
function momentOf(typed: FormDataEntryValue | null): string {
  const text = typeof typed === 'string' ? typed.trim() : ''
  const time = /^\d+$/.test(text) ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}
