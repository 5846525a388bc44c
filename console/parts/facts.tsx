import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { Fragment, type ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { Moment } from './moment.tsx'
import { PlainText } from './plain-text.tsx'

/** The members of an object, by name, as people read them. Times are told by their form. */
export function Facts({ of, without = [] }: { readonly of: object; readonly without?: readonly string[] }) {
  const translate = useTranslate()
  const members = Object.entries(of).filter(([name]) => !without.includes(name))
  return (
    <Box
      component="dl"
      sx={{ display: 'grid', gridTemplateColumns: { sm: 'minmax(9rem, 1fr) 3fr' }, columnGap: 2, margin: 0 }}
    >
      {members.map(([name, value]) => (
        <Fragment key={name}>
          <Typography component="dt" variant="body2" sx={{ color: 'text.secondary', paddingTop: 0.5 }}>
            {translate(`console.members.${name}`, { _: name.replaceAll('_', ' ') })}
          </Typography>
          <Typography component="dd" variant="body2" sx={{ margin: 0, paddingTop: 0.5, overflowWrap: 'anywhere' }}>
            <Value of={value} />
          </Typography>
        </Fragment>
      ))}
    </Box>
  )
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

/** One value of an answer. */
export function Value({ of }: { readonly of: unknown }): ReactNode {
  const translate = useTranslate()
  if (of === null || of === undefined || of === '') return <span>–</span>
  if (typeof of === 'boolean') return translate(of ? 'ra.boolean.true' : 'ra.boolean.false')
  if (typeof of === 'string') return time.test(of) ? <Moment at={of} /> : <PlainText>{of}</PlainText>
  if (typeof of === 'number') return String(of)
  if (Array.isArray(of) && of.every((one) => typeof one !== 'object'))
    return of.length === 0 ? <span>–</span> : <PlainText>{of.join(', ')}</PlainText>
  return (
    <Box component="pre" tabIndex={0} sx={{ margin: 0, overflow: 'auto', maxHeight: 320, fontSize: 12 }}>
      {JSON.stringify(of, null, 2)}
    </Box>
  )
}
