import Card from '@mui/material/Card'
import CardContent from '@mui/material/CardContent'
import type { ReactNode } from 'react'
import { Title } from 'react-admin'

/** A page that is no list and no record. */
export function Page({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Card sx={{ marginTop: 2 }}>
      <Title title={title} />
      <CardContent>{children}</CardContent>
    </Card>
  )
}
