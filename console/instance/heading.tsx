import Typography from '@mui/material/Typography'
import { useTranslate } from 'react-admin'

/** The heading of a section, by its text in `console.instance`. */
export function Heading({ name }: { readonly name: string }) {
  const translate = useTranslate()
  return (
    <Typography component="h2" variant="h6" sx={{ marginTop: 2 }}>
      {translate(`console.instance.${name}`)}
    </Typography>
  )
}
