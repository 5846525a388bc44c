import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import Stack from '@mui/material/Stack'
import Switch from '@mui/material/Switch'
import { useState } from 'react'
import { useStore, useTranslate } from 'react-admin'
import { useHotkeys } from 'react-hotkeys-hook'
import { useHref, useLocation } from 'react-router-dom'

/** A key of a view. */
export interface Key {
  readonly key: string
  /** The key of the text that says what it does. */
  readonly says: string
  /** Undefined while it does nothing. */
  readonly does: (() => void) | undefined
}

/**
 * What a view does by single keys, each as a button too. The keys rest while something is typed, while a dialog or a menu is open, and
 * on the way to another view: what is still shown is not meant. Who does not want them turns them off.
 */
export function Keys({ keys, label }: { readonly keys: readonly Key[]; readonly label: string }) {
  const translate = useTranslate()
  const [areOn, setOn] = useStore('console.keys', true)
  const [isExplained, setExplained] = useState(false)
  const shown = useHref(useLocation())
  const all: readonly Key[] = [...keys, { key: '?', says: 'console.keys.explain', does: () => setExplained(true) }]
  useHotkeys(
    [...all.map(({ key }) => key), 'shift+?'],
    (_, { keys: [pressed] = [] }) => all.find(({ key }) => key === pressed)?.does?.(),
    {
      useKey: true,
      ignoreEventWhen: (event) => !areOn || event.repeat || isSomethingOpen() || isLeft(shown),
    },
  )
  return (
    <>
      <Stack direction="row" role="toolbar" aria-label={label} sx={{ flexWrap: 'wrap', gap: 1, marginBlock: 1 }}>
        {all.map(({ key, says, does }) => (
          <Button
            key={key}
            variant="outlined"
            disabled={!does}
            onClick={does}
            aria-keyshortcuts={areOn ? key : undefined}
          >
            {translate(says)}
            {areOn && <kbd style={{ marginInlineStart: 8 }}>{key}</kbd>}
          </Button>
        ))}
      </Stack>
      <Dialog open={isExplained} onClose={() => setExplained(false)} aria-labelledby="keys-title">
        <DialogTitle id="keys-title">{translate('console.keys.title')}</DialogTitle>
        <DialogContent>
          <dl>
            {all.map(({ key, says }) => (
              <Stack key={key} direction="row" sx={{ gap: 2 }}>
                <dt style={{ minWidth: '2rem' }}>
                  <kbd>{key}</kbd>
                </dt>
                <dd style={{ margin: 0 }}>{translate(says)}</dd>
              </Stack>
            ))}
          </dl>
          <p>{translate('console.keys.rest')}</p>
          <FormControlLabel
            control={<Switch checked={areOn} onChange={(_, isOn) => setOn(isOn)} />}
            label={translate('console.keys.on')}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setExplained(false)}>{translate('ra.action.close')}</Button>
        </DialogActions>
      </Dialog>
    </>
  )
}

/** Whether a dialog or a menu lies over the page. */
function isSomethingOpen(): boolean {
  return document.querySelector('.MuiModal-root:not(.MuiModal-hidden)') !== null
}

/** Whether the browser has gone on from an address that is still shown. */
function isLeft(shown: string): boolean {
  return new URL(shown, location.href).hash !== location.hash
}
