import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import { useState } from 'react'
import { SelectInput, TextArrayInput, TextInput, useListContext, useTranslate } from 'react-admin'
import { operationOf } from '../api/operations.ts'
import { MomentInput } from '../parts/moment-input.tsx'
import { ResourceList } from '../parts/resource-list.tsx'
import { Table } from '../parts/table.tsx'
import { useAcls } from '../parts/use-acls.ts'
import { eventColumns } from './event-columns.tsx'
import { LiveEvents } from './live-events.tsx'

const categories = operationOf('searchHistoryEvents').choices?.['category'] ?? []

const filters = [
  <TextArrayInput key="type" source="type" alwaysOn label="console.history.types" />,
  <SelectInput
    key="category"
    source="category"
    alwaysOn
    label="console.history.category"
    choices={categories.map((id) => ({ id, name: id.replaceAll('_', ' ') }))}
    translateChoice={false}
  />,
  <TextInput key="actor" source="actor" alwaysOn resettable label="console.history.actor" />,
  <TextInput key="correlation_id" source="correlation_id" alwaysOn resettable label="console.history.request" />,
  <MomentInput key="since" source="since" label="console.history.since" />,
  <MomentInput key="until" source="until" label="console.history.until" />,
]

/** Events of all streams: searched, or as they are written. */
export function EventList() {
  const [isLive, setLive] = useState(false)
  return (
    <ResourceList
      filters={filters}
      perPage={50}
      title="console.views.history"
      {...(isLive && { pagination: false, exporter: false })}
    >
      <Events isLive={isLive} setLive={setLive} />
    </ResourceList>
  )
}

interface EventsProps {
  readonly isLive: boolean
  readonly setLive: (isLive: boolean) => void
}

function Events({ isLive, setLive }: EventsProps) {
  const translate = useTranslate()
  const { may } = useAcls()
  const { filterValues } = useListContext()
  return (
    <>
      {may('followHistoryEvents') && (
        <FormControlLabel
          control={<Switch checked={isLive} onChange={(_, checked) => setLive(checked)} />}
          label={translate('console.history.live')}
          sx={{ marginInlineStart: 1 }}
        />
      )}
      {isLive ? (
        <LiveEvents key={JSON.stringify(filterValues)} filter={filterValues} />
      ) : (
        <Table columns={eventColumns} rowClick={false} />
      )}
    </>
  )
}
