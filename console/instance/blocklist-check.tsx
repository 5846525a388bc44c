import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import { useMutation } from '@tanstack/react-query'
import { useState, type SyntheticEvent } from 'react'
import { useTranslate } from 'react-admin'
import { call } from '../api/call.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import type { Blocklist } from './blocklist-operations.ts'

/** Asks whether a blocklist has a value. */
export function BlocklistCheck({ of: { operations } }: { readonly of: Blocklist }) {
  const translate = useTranslate()
  const [value, setValue] = useState('')
  const check = useMutation({ mutationFn: (asked: string) => call(operations.check, { path: { value: asked } }) })
  const ask = (event: SyntheticEvent): void => {
    event.preventDefault()
    check.mutate(value)
  }
  return (
    <form onSubmit={ask}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap', marginBlock: 1 }}>
        <TextField
          size="small"
          label={translate('console.members.value')}
          value={value}
          onChange={({ target }) => setValue(target.value)}
        />
        <Button type="submit" size="small" variant="outlined" disabled={value === '' || check.isPending}>
          {translate('console.instance.check')}
        </Button>
        {check.data && (
          <Alert severity={check.data.banned ? 'warning' : 'info'} role="status">
            {translate(check.data.banned ? 'console.instance.is_listed' : 'console.instance.is_not_listed', {
              value: check.variables,
            })}
          </Alert>
        )}
      </Stack>
      <FailureNotice error={check.error} />
    </form>
  )
}
