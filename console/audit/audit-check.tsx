import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { call, type ReplyOf } from '../api/call.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'

type Checked = ReplyOf<'checkAdminAuditLog'>

/** What was checked so far. It has ended where nothing comes next. */
interface Progress {
  readonly count: number
  readonly last: Checked
}

/** Has the server check the chain of the log, part by part, and tells what it found. */
export function AuditCheck() {
  const translate = useTranslate()
  const [progress, setProgress] = useState<Progress>()
  const [error, setError] = useState<unknown>()
  const [isAtWork, setAtWork] = useState(false)
  const check = async (): Promise<void> => {
    setAtWork(true)
    setError(undefined)
    try {
      await checkAll(setProgress)
    } catch (failure) {
      setError(failure)
    } finally {
      setAtWork(false)
    }
  }
  return (
    <section aria-label={translate('console.audit.check')}>
      <Button variant="outlined" disabled={isAtWork} onClick={() => void check()} sx={{ marginBlock: 1 }}>
        {translate('console.audit.check')}
      </Button>
      <FailureNotice error={error} />
      {progress && !error && <Found of={progress} />}
    </section>
  )
}

async function checkAll(tell: (progress: Progress) => void): Promise<void> {
  let cursor: number | undefined
  let count = 0
  for (;;) {
    const last = await call('checkAdminAuditLog', { query: { cursor } })
    count += last.checked_count
    tell({ count, last })
    if (last.next_cursor === null) return
    cursor = last.next_cursor
  }
}

function Found({ of: { count, last } }: { readonly of: Progress }) {
  const translate = useTranslate()
  const { fault, newest_hash: hash, next_cursor: next } = last
  if (fault)
    return (
      <Alert severity="error" role="alert">
        {translate(`console.audit.${fault.what.replaceAll(' ', '_')}`, { entry: fault.log_id ?? '–' })}
      </Alert>
    )
  return (
    <Alert severity={next === null ? 'success' : 'info'} role="status" sx={{ overflowWrap: 'anywhere' }}>
      {translate(next === null ? 'console.audit.holds' : 'console.audit.so_far', { count, hash: hash ?? '–' })}
    </Alert>
  )
}
