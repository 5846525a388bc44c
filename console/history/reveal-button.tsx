import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { useTranslate } from 'react-admin'

/** Asks for what is personal in a history, which is left out otherwise. It says beforehand that asking is recorded. */
export function RevealButton({ onReveal }: { readonly onReveal: () => void }) {
  const translate = useTranslate()
  const id = useId()
  return (
    <Typography component="div" variant="body2" sx={{ marginBlock: 1 }}>
      <Button color="warning" variant="outlined" onClick={onReveal} aria-describedby={id} sx={{ marginInlineEnd: 1 }}>
        {translate('console.history.reveal')}
      </Button>
      <span id={id}>{translate('console.history.reveal_is_recorded')}</span>
    </Typography>
  )
}
