import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { Link, useTranslate } from 'react-admin'
import type { Reply } from '../api/call.ts'
import { Value } from '../parts/facts.tsx'
import { useAcls } from '../parts/use-acls.ts'
import { useReading } from '../parts/use-reading.ts'
import { useOpenAct, type Act } from './act.ts'

/** What an act answered, the way to all that followed from it, and the way back where its entry can be undone. */
export function Done({ act, reply }: { readonly act: Act; readonly reply: Reply | undefined }) {
  const translate = useTranslate()
  const { may } = useAcls()
  const requestId = reply?.requestId
  const mayExplain = may('explainHistory') && requestId !== undefined
  return (
    <>
      <Alert severity="success" role="status" sx={{ marginBottom: 2 }}>
        {translate('console.acts.done')}
        {requestId !== undefined && (
          <>
            {' '}
            <code>{requestId}</code>
          </>
        )}
      </Alert>
      {reply?.value !== undefined && (
        <details>
          <summary>{translate('console.acts.answer')}</summary>
          <Value of={reply.value} />
        </details>
      )}
      {mayExplain && (
        <>
          <Button component={Link} to={`/history/explain/${requestId}`}>
            {translate('console.acts.explain')}
          </Button>
          {act.id !== 'undoAuditLogEntry' && <UndoOf requestId={requestId} />}
        </>
      )}
    </>
  )
}

function UndoOf({ requestId }: { readonly requestId: string }) {
  const { data } = useReading('explainHistory', { path: { id: requestId } })
  const entry = data?.requests[0]?.audit_log_ids.at(-1)
  return entry === undefined ? null : <UndoButton entry={entry} />
}

/** Opens the undoing of one entry of the admin audit log, which says itself where something stands in the way. */
export function UndoButton({ entry }: { readonly entry: string }) {
  const translate = useTranslate()
  const { may } = useAcls()
  const open = useOpenAct()
  if (!may('undoAuditLogEntry')) return null
  return (
    <Button color="error" onClick={() => open({ id: 'undoAuditLogEntry', path: { entry_id: entry } })}>
      {translate('console.acts.undo')}
    </Button>
  )
}
