import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { useTranslate } from 'react-admin'
import { operationOf } from '../api/operations.ts'
import { useAcls } from '../parts/use-acls.ts'
import { useOpenAct, type Act } from './act.ts'

/** A button for each act that the reader may do; none for the others. */
export function ActButtons({ acts, label }: { readonly acts: readonly Act[]; readonly label?: string }) {
  const translate = useTranslate()
  const { may } = useAcls()
  const open = useOpenAct()
  const allowed = acts.filter(({ id }) => may(id))
  if (allowed.length === 0) return null
  return (
    <Stack
      direction="row"
      role="group"
      aria-label={label ?? translate('console.acts.title')}
      sx={{ flexWrap: 'wrap', gap: 1, marginBlock: 1 }}
    >
      {allowed.map((act) => (
        <Button key={act.id} size="small" variant="outlined" onClick={() => open(act)}>
          {translate(`console.operations.${act.id}`, { _: operationOf(act.id).summary })}
        </Button>
      ))}
    </Stack>
  )
}
