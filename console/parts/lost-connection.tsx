import Alert from '@mui/material/Alert'
import Snackbar from '@mui/material/Snackbar'
import { useEffect, useState } from 'react'
import { useTranslate } from 'react-admin'
import { connection } from '../api/connection.ts'

/** Says that the server cannot be reached, as long as that is so. */
export function LostConnection() {
  const translate = useTranslate()
  const [isLost, setLost] = useState(false)
  useEffect(() => connection.listen(setLost), [])
  return (
    <Snackbar open={isLost} anchorOrigin={{ vertical: 'top', horizontal: 'center' }}>
      <Alert severity="warning">{translate('console.say.lost_connection')}</Alert>
    </Snackbar>
  )
}
