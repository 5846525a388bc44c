import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useEffect, useState } from 'react'
import { useTranslate } from 'react-admin'
import { signInAgain } from '../session/session.ts'

/** Says that the sign-in has ended, as long as nobody has signed in again, and opens the window for it: also where a browser did not, or it was closed. */
export function SignInDialog() {
  const translate = useTranslate()
  const [isNeeded, setNeeded] = useState(false)
  useEffect(() => signInAgain.listen(setNeeded), [])
  return (
    <Dialog open={isNeeded} aria-labelledby="sign-in-title">
      <DialogTitle id="sign-in-title">{translate('console.say.signed_out')}</DialogTitle>
      <DialogContent>{translate('console.say.sign_in_beside')}</DialogContent>
      <DialogActions>
        <Button autoFocus variant="contained" onClick={() => void signInAgain.open()}>
          {translate('console.say.sign_in')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
