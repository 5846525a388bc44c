import type { ReactNode } from 'react'
import { FilterButton, List, TopToolbar, useFilterContext, useListContext, type ListProps } from 'react-admin'
import { exported } from './exported.ts'
import { NamedExportButton } from './export-button.tsx'

type Props = Omit<ListProps, 'actions' | 'empty'> & {
  /** What stands before the filters and the export. */
  readonly actions?: ReactNode
}

/** A list of React-admin with its filters and an export. An empty one keeps both. */
export function ResourceList({ actions, children, ...props }: Props) {
  return (
    <List exporter={exported} empty={false} {...props} actions={<Actions>{actions}</Actions>}>
      {children}
    </List>
  )
}

function Actions({ children }: { readonly children: ReactNode }) {
  const filters = useFilterContext()
  const { exporter } = useListContext()
  return (
    <TopToolbar sx={{ flexWrap: 'wrap', whiteSpace: 'normal' }}>
      {children}
      {filters && <FilterButton />}
      {exporter !== false && <NamedExportButton />}
    </TopToolbar>
  )
}
