import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useEffect, useState } from 'react'
import { Form, PasswordInput, TextInput, useTranslate } from 'react-admin'
import type { Failure } from '../api/failure.ts'
import { proofIsAskedBy, type Proof } from '../api/proof.ts'

interface Question {
  readonly failure: Failure
  readonly answer: (proof: Proof) => void
  readonly giveUp: (failure: Failure) => void
}

/** Asks for a password or a code where the API wants to be sure who acts: its sudo mode. */
export function ProofDialog() {
  const translate = useTranslate()
  const [question, setQuestion] = useState<Question>()
  useEffect(
    () =>
      proofIsAskedBy((failure) => {
        return new Promise((answer, giveUp) => setQuestion({ failure, answer, giveUp }))
      }),
    [],
  )
  if (!question) return null
  const close = (): void => {
    setQuestion(undefined)
    question.giveUp(question.failure)
  }
  const send = ({ password, code }: { password?: string; code?: string }): void => {
    setQuestion(undefined)
    question.answer(code ? { mfa_method: 'totp', mfa_code: code } : { password: password ?? '' })
  }
  return (
    <Dialog open onClose={close} aria-labelledby="proof-title">
      <DialogTitle id="proof-title">{translate('console.proof.title')}</DialogTitle>
      <Form onSubmit={send}>
        <DialogContent dividers>
          <PasswordInput
            source="password"
            label={translate('console.proof.password')}
            autoComplete="current-password"
            fullWidth
          />
          <TextInput source="code" label={translate('console.proof.code')} autoComplete="one-time-code" fullWidth />
        </DialogContent>
        <DialogActions>
          <Button onClick={close}>{translate('ra.action.cancel')}</Button>
          <Button type="submit" variant="contained">
            {translate('ra.action.confirm')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
