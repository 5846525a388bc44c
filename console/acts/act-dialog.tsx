import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { useState, type SyntheticEvent } from 'react'
import { Form, TextInput, useRefresh, useTranslate } from 'react-admin'
import { useFormContext, useFormState } from 'react-hook-form'
import { send, type Reply } from '../api/call.ts'
import { operationOf } from '../api/operations.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import type { Act } from './act.ts'
import { changedMembers, type Changed } from './changed-members.ts'
import { Done } from './done.tsx'
import { Foretold } from './foretold.tsx'
import { schemaFor } from './schema.ts'
import { SchemaInputs } from './schema-inputs.tsx'

interface Stage {
  readonly name: 'form' | 'foretold' | 'done'
  /** A DryRun, or what the operation answers to a dry run of its own. */
  readonly foretold?: unknown
  readonly reply?: Reply
  readonly error?: unknown
  readonly isBusy?: boolean
}

const reason = 'x_audit_log_reason'
const reasonLength_max = 512

/** A form for an act: first what it would do, then, where the reader still wants it, what it did. */
export function ActDialog({ act, onClose }: { readonly act: Act; readonly onClose: () => void }) {
  const translate = useTranslate()
  const operation = operationOf(act.id)
  const [stage, setStage] = useState<Stage>({ name: 'form' })
  return (
    <Dialog
      open
      onClose={stage.isBusy ? undefined : onClose}
      fullWidth
      maxWidth="md"
      aria-labelledby="act-title"
      // What stands between is moved: the title and the buttons are always there.
      sx={{ '& form': { display: 'flex', flexDirection: 'column', minHeight: 0 } }}
    >
      <DialogTitle id="act-title">{translate(`console.operations.${act.id}`, { _: operation.summary })}</DialogTitle>
      <Form defaultValues={act.values ?? {}} sanitizeEmptyValues={false}>
        <DialogContent dividers>
          <Typography variant="body2" sx={{ marginBottom: 2 }}>
            {operation.description}
          </Typography>
          {stage.name !== 'done' && (
            // A form that is looked back at keeps what was typed.
            <div hidden={stage.name !== 'form'}>
              <ActInputs act={act} />
            </div>
          )}
          {stage.name === 'foretold' && <Foretold of={stage.foretold} />}
          {stage.name === 'done' && <Done act={act} reply={stage.reply} />}
          <FailureNotice error={stage.error} />
        </DialogContent>
        <ActDialogButtons act={act} stage={stage} setStage={setStage} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

function ActInputs({ act }: { readonly act: Act }) {
  const translate = useTranslate()
  const { path, body, query } = operationOf(act.id)
  const ofQuery = {
    properties: Object.fromEntries((query ?? []).map(({ name, schema }) => [name, schema])),
    required: (query ?? []).flatMap(({ name, required }) => (required ? [name] : [])),
  }
  const missing = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) =>
    act.path?.[name] === undefined ? [name] : [],
  )
  const ofPath = {
    properties: Object.fromEntries(missing.map((name) => [name, { type: 'string' }])),
    required: missing,
  }
  return (
    <>
      <SchemaInputs schema={ofPath} prefix="path." />
      <SchemaInputs schema={ofQuery} prefix="query." />
      {body && (
        <SchemaInputs
          schema={schemaFor(body, act.fixed ?? {})}
          prefix="body."
          without={['dry_run', ...Object.keys(act.fixed ?? {})]}
        />
      )}
      <TextInput
        source={reason}
        label={translate('console.acts.reason')}
        helperText={translate('console.acts.reason_help')}
        fullWidth
        slotProps={{ htmlInput: { maxLength: reasonLength_max } }}
      />
    </>
  )
}

interface Buttons {
  readonly act: Act
  readonly stage: Stage
  readonly setStage: (stage: Stage) => void
  readonly onClose: () => void
}

function ActDialogButtons({ act, stage, setStage, onClose }: Buttons) {
  const translate = useTranslate()
  const { foretell, carryOut } = useAttempts({ act, stage, setStage })
  const isBusy = stage.isBusy === true
  if (stage.name === 'done')
    return (
      <DialogActions>
        <Button key="close" autoFocus onClick={onClose}>
          {translate('ra.action.close')}
        </Button>
      </DialogActions>
    )
  return (
    <DialogActions sx={{ flexWrap: 'wrap' }}>
      <Button onClick={onClose} disabled={isBusy}>
        {translate('ra.action.cancel')}
      </Button>
      {stage.name === 'foretold' && (
        <Button onClick={() => setStage({ name: 'form' })} disabled={isBusy}>
          {translate('ra.action.back')}
        </Button>
      )}
      {stage.name === 'form' && operationOf(act.id).dryRun ? (
        <Button key="foretell" type="submit" variant="contained" onClick={foretell} disabled={isBusy}>
          {translate('console.acts.foretell')}
        </Button>
      ) : (
        // What was foretold is one key away from being done.
        <Button
          key="do"
          type="submit"
          variant="contained"
          color="error"
          autoFocus={stage.name === 'foretold'}
          onClick={carryOut}
          disabled={isBusy}
        >
          {translate('console.acts.do')}
        </Button>
      )}
    </DialogActions>
  )
}

/** What the buttons do with the form: ask what it would do, and do it. */
function useAttempts({ act, stage, setStage }: Omit<Buttons, 'onClose'>) {
  const refresh = useRefresh()
  const { handleSubmit } = useFormContext()
  const { dirtyFields } = useFormState()
  const attempt = (isDryRun: boolean) =>
    handleSubmit(async (values) => {
      setStage({ ...stage, isBusy: true, error: undefined })
      try {
        const reply = await send(act.id, inputOf(act, values, dirtyFields as Changed, isDryRun))
        if (isDryRun) return setStage({ name: 'foretold', foretold: reply.value })
        setStage({ name: 'done', reply })
        refresh()
        act.onDone?.()
      } catch (error) {
        setStage({ ...stage, isBusy: false, error })
      }
    })
  return {
    foretell: (event: SyntheticEvent) => void attempt(true)(event),
    carryOut: (event: SyntheticEvent) => void attempt(false)(event),
  }
}

function inputOf(act: Act, values: Readonly<Record<string, unknown>>, changed: Changed, isDryRun: boolean) {
  const { body, isBodyRequired, dryRun } = operationOf(act.id)
  const typed = changedMembers(
    (values['body'] ?? {}) as Record<string, unknown>,
    (changed['body'] ?? {}) as Changed,
    body === undefined ? [] : (schemaFor(body, act.fixed ?? {}).required ?? []),
  )
  const sent = { ...typed, ...act.fixed, ...(dryRun === 'body' && { dry_run: isDryRun }) }
  const hasBody = body !== undefined && (isBodyRequired === true || Object.keys(sent).length > 0)
  const text = values[reason]
  return {
    path: { ...(values['path'] as object), ...act.path },
    query: { ...(values['query'] as object), ...(isDryRun && dryRun === 'query' && { dry_run: true }) },
    ...(hasBody && { body: sent }),
    ...(typeof text === 'string' && { reason: text }),
  }
}
