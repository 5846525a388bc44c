import type { ReactNode } from 'react'
import { Show, TabbedShowLayout, TabbedShowLayoutTabs } from 'react-admin'
import type { OperationId } from '../api/operations.ts'
import { useAcls } from './use-acls.ts'

/** A part of a page: its text and address, the operation that it needs, and what it shows. */
export interface Tab {
  /** Its text is `console.<group>.<name>`. */
  readonly name: string
  readonly needs: OperationId
  readonly part: () => ReactNode
}

interface Props {
  readonly group: string
  readonly title: ReactNode
  /** What stands on the first tab. */
  readonly about: ReactNode
  readonly tabs: readonly Tab[]
}

/** The page of one record, with a tab for each part that the reader may read. */
export function TabbedPage({ group, title, about, tabs }: Props) {
  const { may } = useAcls()
  return (
    <Show title={title} actions={false}>
      <TabbedShowLayout tabs={<TabbedShowLayoutTabs variant="scrollable" allowScrollButtonsMobile />}>
        <TabbedShowLayout.Tab label={`console.${group}.about`}>{about}</TabbedShowLayout.Tab>
        {tabs
          .filter(({ needs }) => may(needs))
          .map(({ name, part: Part }) => (
            <TabbedShowLayout.Tab key={name} label={`console.${group}.${name}`} path={name}>
              <Part />
            </TabbedShowLayout.Tab>
          ))}
      </TabbedShowLayout>
    </Show>
  )
}
