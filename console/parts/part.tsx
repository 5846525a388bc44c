import Card from '@mui/material/Card'
import CardContent from '@mui/material/CardContent'
import Typography from '@mui/material/Typography'
import { useId, type ReactNode } from 'react'
import { useTranslate } from 'react-admin'

/** A part of a page under a heading. `title` is a text's key. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const translate = useTranslate()
  const id = useId()
  return (
    <Card component="section" variant="outlined" aria-labelledby={id} sx={{ minWidth: 0, height: '100%' }}>
      <CardContent>
        <Typography id={id} component="h2" variant="h6" gutterBottom>
          {translate(title)}
        </Typography>
        {children}
      </CardContent>
    </Card>
  )
}
