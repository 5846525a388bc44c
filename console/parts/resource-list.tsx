import type { ReactNode } from 'react'
import {
  FilterButton,
  List,
  TopToolbar,
  useFilterContext,
  useListContext,
  useTranslate,
  type ListProps,
} from 'react-admin'
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
      <Beyond />
    </List>
  )
}

/** Says how many there are where not all of them have a page. */
function Beyond() {
  const translate = useTranslate()
  const { meta, total } = useListContext()
  const all: unknown = meta?.all
  if (typeof all !== 'number') return null
  return <p>{translate('console.say.beyond', { all, total: total ?? 0 })}</p>
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
