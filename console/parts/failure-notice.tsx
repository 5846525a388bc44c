import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useTranslate } from 'react-admin'
import { Failure } from '../api/failure.ts'

/** Why something was refused or failed, in words, with the id of the request; and a button to try again. */
export function FailureNotice({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const translate = useTranslate()
  if (error === null || error === undefined) return null
  return (
    <Alert
      severity="error"
      sx={{ overflowWrap: 'anywhere', marginBlock: 1, flexWrap: 'wrap', '& .MuiAlert-message': { flex: '1 1 12rem' } }}
      action={retry && <Button onClick={retry}>{translate('console.say.retry')}</Button>}
    >
      {error instanceof Error ? error.message : JSON.stringify(error)}
      {error instanceof Failure && Object.keys(error.fields).length > 0 && (
        <ul>
          {Object.entries(error.fields).map(([path, message]) => (
            <li key={path}>
              <code>{path}</code>: {message}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  )
}
